// SPDX-License-Identifier: Apache-2.0
// usage: node hashes.mjs <directory with node_modules> <tendon-rosidl> <root>…
//
// For every message that both our roots and npm's texts of ROS 2 Jazzy have, the hash of our file must equal the hash
// of their text.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

const [directory, compiler, ...roots] = process.argv.slice(2);
const texts = `${directory}/node_modules/@foxglove/rosmsg-msgs-common/msgdefs/ros2jazzy`;
const rootArguments = roots.flatMap((root) => ["--root", root]);

function hashOf(...words) {
  return execFileSync(compiler, ["hash", ...words], { encoding: "utf8" }).trim().split(" ")[1];
}

let shared = 0;
let wrong = 0;
for (const package_ of readdirSync(texts)) {
  for (const file of readdirSync(`${texts}/${package_}/msg`)) {
    const type = `${package_}/msg/${file.replace(/\.msg$/, "")}`;
    if (!roots.some((root) => existsSync(`${root}/${type}.msg`))) {
      continue;
    }
    shared++;
    const ours = hashOf(...rootArguments, type);
    const theirs = hashOf("--text", type, "--root", texts, `${texts}/${type}.msg`);
    if (ours !== theirs) {
      wrong++;
      console.error(`${type}: our file ${ours}, their text ${theirs}`);
      console.error(readFileSync(`${texts}/${type}.msg`, "utf8"));
    }
  }
}
console.log(`${shared} shared types, ${wrong} wrong`);
process.exit(wrong > 0 || shared < 80 ? 1 : 0);
