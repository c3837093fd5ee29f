/** Prints a title and rows as aligned columns, numbers to the right. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const columns = Math.max(...rows.map(row => row.length))
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of rows)
    console.log(
      `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('   ')}`.trimEnd(),
    )
}
