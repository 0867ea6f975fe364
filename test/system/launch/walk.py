#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# usage: walk.py PREFIX (with AMENT_PREFIX_PATH as a setup file left it)
# Finds packages, programs, launch files and interfaces as ros2 pkg, run, launch and interface do, with ament's own
# index; prints what it found, a line each.
import os
import sys
import xml.etree.ElementTree

from ament_index_python import get_package_prefix, get_package_share_directory, get_packages_with_prefixes
from ament_index_python import get_resource, get_resources
from rosidl_adapter.parser import parse_message_file, parse_service_file


def fail(text):
    sys.exit('walk.py: ' + text)


def programs(package, prefix):
    """As ros2pkg lists them: everything executable below lib/<package>."""
    found = []
    for folder, folders, files in os.walk(os.path.join(prefix, 'lib', package)):
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        found += [name for name in sorted(files) if os.access(os.path.join(folder, name), os.X_OK)]
    twice = {name for name in found if found.count(name) > 1}
    if twice:
        fail(f'ros2 run {package} would not know which {twice} is meant')
    return found


def launch_files(share):
    found = []
    for folder, folders, files in os.walk(share):
        found += [name for name in files if name.endswith('.launch.xml')]
    if len(set(found)) != len(found):
        fail(f'ros2 launch would not know which of {sorted(found)} is meant')
    return sorted(found)


def check_package(package, prefix):
    share = get_package_share_directory(package)
    tree = xml.etree.ElementTree.parse(os.path.join(share, 'package.xml'))
    if tree.getroot().findtext('name') != package:
        fail(f'{share}/package.xml is of another package')
    needed = {tag.text for kind in ('depend', 'exec_depend') for tag in tree.getroot().findall(kind)}
    listed = get_resource('package_run_dependencies', package)[0]
    if set(filter(None, listed.split(';'))) != needed:
        fail(f'{package} needs {needed}, the index says {listed}')
    for name in programs(package, prefix):
        print('program', package, name)
    for name in launch_files(share):
        print('launch', package, name)
        xml.etree.ElementTree.parse(
            next(os.path.join(f, name) for f, _, files in os.walk(share) if name in files))


def check_interfaces(package):
    """As rosidl_runtime_py finds them, and parsed as ros2 interface show does."""
    share = get_package_share_directory(package)
    lines = get_resource('rosidl_interfaces', package)[0].splitlines()
    on_disk = [os.path.join(kind, name) for kind in ('msg', 'srv', 'action')
               if os.path.isdir(os.path.join(share, kind)) for name in os.listdir(os.path.join(share, kind))]
    if sorted(lines) != sorted(on_disk):
        fail(f'{package}: the index has {lines}, the folder {on_disk}')
    for line in lines:
        parse = parse_message_file if line.endswith('.msg') else parse_service_file
        parse(package, os.path.join(share, line))
        print('interface', package, line)


def main():
    prefix = sys.argv[1]
    packages = get_packages_with_prefixes()
    for package in sorted(packages):
        if packages[package] == prefix:
            print('package', package)
            if get_package_prefix(package) != prefix:
                fail(f'{package} is found elsewhere')
            check_package(package, prefix)
    interfaces = get_resources('rosidl_interfaces')
    for package in sorted(interfaces):
        if interfaces[package] == prefix:
            check_interfaces(package)


main()
