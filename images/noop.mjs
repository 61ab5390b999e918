// Writes the file system of the no-op image: `node images/noop.mjs FOLDER ARCH`, ARCH as in Docker. It needs no
// compiler and no packages, so everything in the image can be read here.
import { chmod, link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** exit(0) in the machine code of each processor, and its number in an ELF header (e_machine). */
const machines = {
  amd64: {
    number: 62,
    code: [
      [0x31, 0xff], // xor edi, edi
      [0xb8, 60, 0, 0, 0], // mov eax, 60 (exit)
      [0x0f, 0x05], // syscall
    ].flat(),
  },
  arm64: {
    number: 183,
    code: [
      [0x00, 0x00, 0x80, 0xd2], // mov x0, #0
      [0xa8, 0x0b, 0x80, 0xd2], // mov x8, #93 (exit)
      [0x01, 0x00, 0x00, 0xd4], // svc #0
    ].flat(),
  },
};

/** A complete Linux program: an ELF header, one segment, three instructions. It always exits 0. */
function noopProgram({ number, code }) {
  const headerSize = 64;
  const segmentSize = 56;
  const start = headerSize + segmentSize;
  const address = 0x400000n;
  const file = Buffer.alloc(start + code.length);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // ELF, 64 bits, little endian, version 1
  file.writeUInt16LE(2, 16); // e_type: executable
  file.writeUInt16LE(number, 18);
  file.writeUInt32LE(1, 20); // e_version
  file.writeBigUInt64LE(address + BigInt(start), 24); // e_entry
  file.writeBigUInt64LE(BigInt(headerSize), 32); // e_phoff
  file.writeUInt16LE(headerSize, 52);
  file.writeUInt16LE(segmentSize, 54);
  file.writeUInt16LE(1, 56); // e_phnum
  file.writeUInt16LE(64, 58); // e_shentsize
  file.writeUInt32LE(1, headerSize); // p_type: load
  file.writeUInt32LE(5, headerSize + 4); // p_flags: read and execute
  file.writeBigUInt64LE(address, headerSize + 16); // p_vaddr
  file.writeBigUInt64LE(address, headerSize + 24); // p_paddr
  file.writeBigUInt64LE(BigInt(file.length), headerSize + 32); // p_filesz
  file.writeBigUInt64LE(BigInt(file.length), headerSize + 40); // p_memsz
  file.writeBigUInt64LE(0x10000n, headerSize + 48); // p_align: the largest page size of arm64
  file.set(code, start);
  return file;
}

const [folder, architecture] = process.argv.slice(2);
if (folder === undefined || !Object.hasOwn(machines, architecture)) {
  throw new Error(`usage: node images/noop.mjs FOLDER ${Object.keys(machines).join('|')}`);
}
const list = new URL('../src/methods/noop-programs.json', import.meta.url);
const { folders, names, paths } = JSON.parse(await readFile(list, 'utf8'));
const wordsOf = (lines) => lines.flatMap((line) => line.split(' '));
const named = folders.flatMap((folder) => wordsOf(names).map((name) => `${folder}/${name}`));
const program = join(folder, 'noop');
await mkdir(folder, { recursive: true });
await writeFile(program, noopProgram(machines[architecture]));
await chmod(program, 0o555);
// Under every name that a container's command may use.
for (const path of [...named, ...wordsOf(paths)]) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await link(program, join(folder, path));
}
