import { flowchart } from './flowchart.ts'
import { machineNames, readMachine } from './machines.ts'
import { fence } from './markdown.ts'

const MARKERS = { start: '<!-- generated:machines -->', end: '<!-- end -->' } as const

/**
 * `docs/architecture.md`, which people write, with its diagrams of the machines drawn anew.
 * @throws Error when the document has lost the markers between which they lie
 */
export function renderArchitecture(current = `# Architecture\n\n${MARKERS.start}\n${MARKERS.end}\n`): string {
  const start = current.indexOf(MARKERS.start)
  const end = current.indexOf(MARKERS.end, start)
  if (start < 0 || end < 0)
    throw new Error(`docs/architecture.md needs a line ${MARKERS.start} and below it a line ${MARKERS.end}.`)
  return `${current.slice(0, start)}${MARKERS.start}\n\nDotted edges are taken on errors.\n\n${diagrams()}\n\n${current.slice(end)}`
}

const diagrams = () =>
  machineNames
    .map((name) => {
      const machine = readMachine(name)
      return `### The ${name} machine\n\n${machine.Comment}\n\n${fence('mermaid', flowchart(machine))}`
    })
    .join('\n\n')
