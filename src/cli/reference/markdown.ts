/** The first line of every generated page; what it names is what to edit. */
export function generatedFrom(source: string): string {
  return `<!-- Generated from ${source} by \`npm run generate\`; do not edit. -->`;
}

/** A page of blocks: one blank line between them, a newline at the end. */
export function page(...blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

/** A table; cells are texts of one line, in which `|` is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}
