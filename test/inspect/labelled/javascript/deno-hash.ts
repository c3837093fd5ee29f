// Prints the hash of a file.
const [file, algorithm = 'SHA-256'] = Deno.args
if (!file) {
  console.error('usage: deno-hash.ts <file> [algorithm]')
  Deno.exit(1)
}
const digest = await crypto.subtle.digest(algorithm, await Deno.readFile(file))
console.log(Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join(''))
