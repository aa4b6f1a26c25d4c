/** Renders a table. Escapes the cells, and drops empty columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const filled = headings.map((_, column) => rows.some((row) => row[column]))
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => filled[column]).join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map((row) => line(row.map(inCell)))].join('\n')
}

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Escapes angle brackets, so that Markdown does not read them as tags. */
export const prose = (text: string) => text.replaceAll('<', '\\<')

export const code = (text: unknown) => `\`${text}\``

export const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

/** Returns the anchor that GitHub gives a heading. */
export const anchor = (heading: string) =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`

/** Renders a generated document: its title, a note on its source, and its parts. */
export const markdownPage = (title: string, source: string, ...parts: readonly string[]) =>
  `${[
    `# ${title}`,
    `<!-- Generated from ${source} by \`npm run docs\`: change it there. -->`,
    ...parts.filter(Boolean),
  ].join('\n\n')}\n`
