/** Prints the result of a command to standard output: as JSON, or as lines of text. */
export function printResult(json: boolean | undefined, result: unknown, lines: readonly string[]): void {
  process.stdout.write(`${json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`)
}
