/** A table; cells are made safe, and columns nobody fills are left out. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const filled = headings.map((_, column) => rows.some((row) => row[column]))
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => filled[column]).join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map((row) => line(row.map(inCell)))].join('\n')
}

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Text that is no Markdown: what stands in angle brackets is no tag. */
export const prose = (text: string) => text.replaceAll('<', '\\<')

export const code = (text: unknown) => `\`${text}\``

export const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

/** What GitHub makes of a heading. */
export const anchor = (heading: string) =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`

/** The parts of a document, a blank line between them, and the note that nobody should edit it. */
export const page = (title: string, source: string, ...parts: readonly string[]) =>
  `${[
    `# ${title}`,
    `<!-- Generated from ${source} by \`npm run docs\`: change it there. -->`,
    ...parts.filter(Boolean),
  ].join('\n\n')}\n`
