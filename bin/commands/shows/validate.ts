import { Command } from 'commander'
import { realClock } from '../../../lib/clock.ts'
import { checkShow } from '../../../lib/show/document/check-show.ts'
import { inOneLine } from '../../../lib/show/document/fields/texts.ts'
import type { Problem } from '../../../lib/show/document/problems.ts'
import type { Show } from '../../../lib/show/document/show.ts'
import { stepsOf } from '../../../lib/show/plan/forecast/show-steps.ts'
import { printResult } from '../../print.ts'
import { nameOfFile, readShowFile } from '../../shows/show-file.ts'
import { describeStartAndNext } from '../../terminal/starts.ts'

export const validateCommand = () =>
  new Command('validate')
    .description('check a show document and print its plan with defaults, without starting anything')
    .argument('<file>', 'show document (JSON), or - for standard input')
    .option('--json', 'print only { valid, show } with every default, or { valid, problems }, as JSON')
    .addHelpText('after', '\nIt exits with 1 if the show is not valid. All fields are in docs/show.schema.json.')
    .action(runValidate)

async function runValidate(file: string, { json = false }: { json?: boolean }): Promise<void> {
  const parsed = checkShow(await readShowFile(file), realClock.now())
  const isValid = 'show' in parsed
  const lines = isValid ? describePlan(file, parsed.show, realClock.now()) : listProblems(file, parsed.problems)
  if (isValid || json) printResult(json, { valid: isValid, ...parsed }, lines)
  else process.stderr.write(`${lines.join('\n')}\n`)
  if (!isValid) process.exitCode = 1
}

const describePlan = (file: string, show: Show, now: number) => [
  `${nameOfFile(file)} is a valid show, ${inOneLine(show.name)}:`,
  ...stepsOf(show, (start) => describeStartAndNext(start, now)).map(
    ([what, details]) => `  ${what.padEnd(10)} ${inOneLine(details)}`,
  ),
]

const listProblems = (file: string, problems: readonly Problem[]) => [
  `${nameOfFile(file)} is not a valid show:`,
  ...problems.map(({ path, message }) => inOneLine(`  ${path || 'it'} ${message}`)),
]
