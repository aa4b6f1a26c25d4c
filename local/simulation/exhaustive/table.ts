import { callFaults, type FaultKind, invocationFaults } from '../faults/fault.ts'
import { inOrder, nameOf } from './cases.ts'
import type { CaseOutcome } from './run-cases.ts'

/** A site's row begins with its caller and its operation. */
const ROW = /^\| (\S+) \| `([^`]+)` \|/

const triedFaults = callFaults.filter((kind) => !kind.startsWith('killed'))

/** The outcomes as Markdown: a row for each site, a column for each kind of fault. */
export function renderOutcomes(outcomes: readonly CaseOutcome[]): string {
  const of = (kinds: readonly FaultKind[]) => outcomes.filter(({ kind }) => kinds.includes(kind))
  return [
    '## Calls\n',
    renderTable(of(callFaults), triedFaults),
    '\n## Invocations\n',
    renderTable(of(invocationFaults), invocationFaults),
  ].join('\n')
}

function renderTable(outcomes: readonly CaseOutcome[], kinds: readonly FaultKind[]): string {
  const bySite = new Map<string, CaseOutcome[]>()
  for (const outcome of outcomes) {
    const name = nameOf(outcome.site)
    bySite.set(name, [...(bySite.get(name) ?? []), outcome])
  }
  const rows = [...bySite.values()].map((cases) => {
    const { caller, operation } = cases[0]?.site ?? { caller: '', operation: '' }
    const cells = kinds.map((kind) => cellOf(cases.find((one) => one.kind === kind)))
    return `| ${[caller, `\`${operation}\``, ...cells].join(' | ')} |`
  })
  const heading = `| caller | operation | ${kinds.join(' | ')} |`
  return [heading, `|${'---|'.repeat(kinds.length + 2)}`, ...rows].join('\n')
}

function cellOf(outcome: CaseOutcome | undefined): string {
  if (!outcome) return ''
  if (outcome.broken.length > 0) return `**broken: ${outcome.broken.map(({ invariant }) => invariant).join(', ')}**`
  if (!outcome.struck) return '–'
  return outcome.became === 'nothing' ? '·' : outcome.became
}

/** The sites that a document lists, each in one line. */
export const sitesIn = (document: string): string[] =>
  document.split('\n').flatMap((line) => {
    const [, caller = '', operation = ''] = ROW.exec(line) ?? []
    return operation ? [nameOf({ caller, operation, target: 'aws' })] : []
  })

/** The same of a run. */
export const sitesOf = (sites: Parameters<typeof inOrder>[0]): string[] => inOrder(sites).map(nameOf)
