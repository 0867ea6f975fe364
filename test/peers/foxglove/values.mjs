// SPDX-License-Identifier: Apache-2.0
// usage: node values.mjs <directory with node_modules> <program that prints samples>
//
// Each line of the program is one message: type, schema, bytes and value. Foxglove's parser and reader must make the
// same value of the same bytes, and use them all.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const [directory, program] = process.argv.slice(2);
const require = createRequire(`${directory}/`);
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");

const view = new DataView(new ArrayBuffer(8));

function floatBits(type, value) {
  if (type === "float32") {
    view.setFloat32(0, value);
    return `0x${view.getUint32(0).toString(16)}`;
  }
  view.setFloat64(0, value);
  return `0x${view.getBigUint64(0).toString(16)}`;
}

// the form in which the program prints values
function canonical(definitions, field, value) {
  if (field.isArray) {
    return Array.from(value, (one) => canonical(definitions, { ...field, isArray: false }, one));
  }
  if (field.isComplex) {
    return canonicalMessage(definitions, definitions.get(field.type), value);
  }
  if (field.type === "time" || field.type === "duration") {
    return { sec: String(value.sec), nanosec: String(value.nanosec) };
  }
  if (field.type === "string" || field.type === "bool") {
    return value;
  }
  return field.type.startsWith("float") ? floatBits(field.type, value) : String(value);
}

function canonicalMessage(definitions, fields, value) {
  const out = {};
  for (const field of fields.filter((one) => !one.isConstant)) {
    out[field.name] = canonical(definitions, field, value[field.name]);
  }
  return out;
}

function read(parsed, bytes) {
  const fields = parsed[0].definitions;
  if (fields.length > 0 && fields.every((one) => one.isConstant)) {
    // the reader takes a message of constants only for a module without a message; on the wire it is one zero byte
    return bytes.toString("hex") === "0001000000" ? "{}" : `bytes ${bytes.toString("hex")}`;
  }
  const reader = new MessageReader(parsed);
  const message = reader.readMessage(bytes);
  if (reader.lastReadByteLength() !== bytes.length) {
    return `${reader.lastReadByteLength()} of ${bytes.length} bytes read`;
  }
  const definitions = new Map(parsed.map((one) => [one.name ?? "", one.definitions]));
  return JSON.stringify(canonicalMessage(definitions, fields, message));
}

const lines = execFileSync(program, { maxBuffer: 1 << 30, encoding: "utf8" }).trim().split("\n");
const types = new Set();
let wrong = 0;
for (const line of lines) {
  const sample = JSON.parse(line);
  const bytes = Buffer.from(sample.cdr, "hex");
  let found;
  try {
    const parsed = parse(sample.schema, { ros2: true });
    found = read(parsed, bytes);
  } catch (error) {
    found = `${error}`;
  }
  const expected = JSON.stringify(sample.value);
  if (found !== expected) {
    wrong++;
    console.error(`${sample.type}\n  expected ${expected}\n  found    ${found}`);
  }
  types.add(sample.type);
}
console.log(`${lines.length} messages of ${types.size} types, ${wrong} wrong`);
process.exit(wrong > 0 || types.size < 100 ? 1 : 0);
