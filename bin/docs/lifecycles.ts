import { lifecycles, type Transition } from '../../lib/platform/contract/lifecycles.ts'
import { code, fence, markdownPage, table } from './markdown.ts'

/** Renders `docs/lifecycles.md`: the changes of status of the platform's resources. */
export function renderLifecycles(): string {
  return markdownPage(
    'Lifecycles',
    '`lib/platform/contract/lifecycles.ts`',
    'These are all changes of status that the platform makes. The sandbox makes no other.',
    ...Object.entries(lifecycles).map(([resource, transitions]) => describe(resource, transitions)),
  )
}

function describe(resource: string, transitions: readonly Transition[]): string {
  const rows = transitions.map(({ from, to, on }) => [from ? code(from) : '—', code(to), on])
  return [
    `## ${resource.charAt(0).toUpperCase()}${resource.slice(1)}`,
    fence('mermaid', stateDiagram(transitions)),
    table(['From', 'To', 'On'], rows),
  ].join('\n\n')
}

/** Replaces colons and semicolons, which would end a label early. */
const label = (text: string) => text.replace(/[:;]/g, ',')

function stateDiagram(transitions: readonly Transition[]): string {
  const statuses = [...new Set(transitions.map(({ to }) => to))]
  const last = statuses.filter((status) => !transitions.some(({ from }) => from === status))
  return [
    'stateDiagram-v2',
    ...transitions.map(({ from, to, on }) => `  ${from ?? '[*]'} --> ${to}: ${label(on)}`),
    ...last.map((status) => `  ${status} --> [*]`),
  ].join('\n')
}
