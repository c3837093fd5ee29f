/** The property that stands for a variable, a flag or a placeholder: `INPUT_FILE`, `--input-file` and `<inputFile>` are `input_file`. */
export function propertyName(text: string): string {
  const name = text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return /^[0-9]/.test(name) ? `arg_${name}` : name
}
