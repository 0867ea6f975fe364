// SPDX-License-Identifier: Apache-2.0
// Lets an old Fast DDS speak like a new one: at the sockets of this process the parameter ids of
// the related sample identity are exchanged. Fast DDS up to 2.9 knows only 0x800f; from 2.14 on it
// sends 0x0083 and 0x800f, and reads only 0x0083 from other vendors. So going out 0x0083 is put in
// front of each 0x800f, and coming in 0x800f is blanked out and 0x0083 takes its place.
#pragma once

#include <atomic>

struct RtpsRewrite {
    std::atomic<bool> is_on{false};
    std::atomic<unsigned> n_sent{0};   // identities that went out as 0x0083
    std::atomic<unsigned> n_read{0};   // that came in as 0x0083
    std::atomic<unsigned> n_hidden{0}; // that came in as 0x800f
};

RtpsRewrite &rtps_rewrite();
