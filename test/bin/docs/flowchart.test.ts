import { describe, expect, it } from 'vitest'
import { flowchart, shortened } from '../../../bin/docs/flowchart.ts'
import { machineNames, readDocumentedMachine, statesOf } from '../../../bin/docs/machines.ts'

describe.each(machineNames)('flowchart of %s', (name) => {
  const machine = readDocumentedMachine(name)
  const lines = flowchart(machine)
    .split('\n')
    .map((line) => line.trim())
  const nodes = lines.flatMap((line) => /^(?:subgraph )?(\w+)[[({]/.exec(line)?.[1] ?? [])

  it('has one node or box for every state, and one for the start', () => {
    expect(nodes).toHaveLength(statesOf(machine).length + 1)
    expect(new Set(nodes).size).toBe(nodes.length)
  })

  it('has edges only between its nodes', () => {
    const edges = lines.flatMap((line) => /^(\w+) (?:-->|-\.->)(?:\|[^|]*\|)? (\w+)$/.exec(line)?.slice(1) ?? [])
    expect(edges.length).toBeGreaterThan(0)
    for (const end of edges) expect(nodes).toContain(end)
  })

  it('has no other lines', () => {
    const grammar = [
      /^flowchart TD$/,
      /^\w+ (-->|-\.->)(\|("[^"|]*"|otherwise)\|)? \w+$/,
      /^\w+(\["[^"]*"\]|\{"[^"]*"\}|\(\["[^"]*"\]\)|\(\("[^"]*"\)\)|\(\(\("[^"]*"\)\)\))$/,
      /^subgraph \w+\["[^"]*"\]$/,
      /^end$/,
    ]
    expect(lines.filter((line) => !grammar.some((form) => form.test(line)))).toEqual([])
  })
})

describe('flowchart', () => {
  it('draws choices, errors and branches', () => {
    const branch = { StartAt: 'Inner', States: { Inner: { Type: 'Task' as const } } }
    const text = flowchart({
      StartAt: 'Done?',
      States: {
        'Done?': {
          Type: 'Choice',
          Choices: [{ Condition: '{% $states.input.over %}', Next: 'Done' }],
          Default: 'Work',
        },
        Work: { Type: 'Parallel', Branches: [branch], Catch: [{ Next: 'Done' }], Next: 'Done?' },
        Done: { Type: 'Succeed' },
      },
    })
    expect(text.split('\n').map((line) => line.trim())).toEqual([
      'flowchart TD',
      'start(("start"))',
      'start --> DoneOrNot',
      'DoneOrNot{"Done?"}',
      'subgraph Work["Work"]',
      'Inner["Inner"]',
      'end',
      'Done(("Done"))',
      'DoneOrNot -->|"over"| Done',
      'DoneOrNot -->|otherwise| Work',
      'Work --> DoneOrNot',
      'Work -.-> Done',
    ])
  })
})

describe('shortened', () => {
  it('removes what all conditions have', () => {
    expect(shortened("{% $states.input.status = 'failed' %}")).toBe("status = 'failed'")
    expect(shortened('{% $toMillis($states.context.State.EnteredTime) > 1 %}')).toBe('EnteredTime > 1')
  })
})
