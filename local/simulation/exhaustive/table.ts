import { callFaults, type FaultKind, invocationFaults } from '../faults/fault.ts'
import { caseNameOf, isLeftToSeeds, triedSites } from './cases.ts'
import type { CaseOutcome } from './run-cases.ts'

/** A row of the document: a caller and its operations. */
const ROW = /^\| (\S+) \| (`[^|]+`) \|/

const callKinds = callFaults.filter((kind) => !isLeftToSeeds(kind))
const invocationKinds = invocationFaults.filter((kind) => !isLeftToSeeds(kind))
const NOTHING = '·'
const NOT_APPLICABLE = '–'

/** Renders the outcomes as Markdown: a row for each site with an outcome, and a list of the sites without one. */
export function renderOutcomes(outcomes: readonly CaseOutcome[]): string {
  const letters = lettersOf(outcomes)
  const of = (kinds: readonly FaultKind[]) => rowsOf(outcomes, kinds, letters)
  const [calls, invocations] = [of(callKinds), of(invocationKinds)]
  return [
    '## Outcomes',
    renderTable(
      ['letter', 'what the fault changed'],
      [...letters].map(([words, letter]) => [letter, words]),
    ),
    ...section('Calls', callKinds, calls.filter(hasOutcome)),
    ...section('Invocations', invocationKinds, invocations.filter(hasOutcome)),
    '## Places without an outcome',
    'No fault of these calls and invocations changes anything.',
    renderTable(['caller', 'operations'], listByCaller([...calls, ...invocations].filter((row) => !hasOutcome(row)))),
  ].join('\n\n')
}

/** Renders the sites of a section; nothing when it has none. */
const section = (title: string, kinds: readonly FaultKind[], rows: readonly Row[]): string[] =>
  rows.length > 0 ? [`## ${title}`, renderTable(['caller', 'operation', ...kinds], rows.map(toCells))] : []

interface Row {
  readonly caller: string
  readonly operation: string
  readonly cells: readonly string[]
}

/** Returns a letter for each distinct outcome, the most frequent first. */
function lettersOf(outcomes: readonly CaseOutcome[]): Map<string, string> {
  const groups = Map.groupBy(outcomes.map(describe), (words) => words)
  groups.delete(NOTHING)
  groups.delete(NOT_APPLICABLE)
  const words = [...groups].sort(([, one], [, other]) => other.length - one.length).map(([text]) => text)
  return new Map(words.map((text, index) => [text, toLetter(index)]))
}

/** Returns A to Z, then AA, AB and so on. */
const toLetter = (index: number): string =>
  (index < 26 ? '' : toLetter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

function rowsOf(outcomes: readonly CaseOutcome[], kinds: readonly FaultKind[], letters: Map<string, string>): Row[] {
  const tried = outcomes.filter(({ kind }) => kinds.includes(kind))
  return [...Map.groupBy(tried, ({ site }) => caseNameOf(site)).values()].map((cases) => {
    const { caller, operation } = cases[0]?.site ?? { caller: '', operation: '' }
    const words = kinds.map((kind) =>
      cases
        .filter((one) => one.kind === kind)
        .map(describe)
        .join(),
    )
    return { caller, operation, cells: words.map((text) => letters.get(text) ?? text) }
  })
}

const hasOutcome = ({ cells }: Row) => cells.some((cell) => cell && cell !== NOTHING && cell !== NOT_APPLICABLE)

const toCells = ({ caller, operation, cells }: Row) => [caller, `\`${operation}\``, ...cells]

const listByCaller = (rows: readonly Row[]) =>
  [...Map.groupBy(rows, ({ caller }) => caller)].map(([caller, own]) => [
    caller,
    own.map(({ operation }) => `\`${operation}\``).join(', '),
  ])

const renderTable = (heading: readonly string[], rows: readonly (readonly string[])[]) =>
  [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function describe({ broken, isStruck, change }: CaseOutcome): string {
  if (broken.length > 0) return `**broken: ${broken.map(({ invariant }) => invariant).join(', ')}**`
  if (!isStruck) return NOT_APPLICABLE
  return change === 'nothing' ? NOTHING : change
}

/** Returns the sites that a document names, one line each. */
export const sitesIn = (document: string): string[] =>
  document.split('\n').flatMap((line) => {
    const [, caller = '', operations = ''] = ROW.exec(line) ?? []
    return [...operations.matchAll(/`([^`]+)`/g)].map(([, operation = '']) =>
      caseNameOf({ caller, operation, target: 'aws' }),
    )
  })

/** Returns the sites of a run, one line each. */
export const sitesOf = (sites: Parameters<typeof triedSites>[0]): string[] => triedSites(sites).map(caseNameOf)
