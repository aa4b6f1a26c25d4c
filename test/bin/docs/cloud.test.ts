import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { renderCloud } from '../../../bin/docs/cloud.ts'
import { root } from '../../../bin/local/root.ts'

describe('renderCloud', () => {
  it('writes the number of lines, to the hundred, into the document', () => {
    const text = renderCloud('# Before\n\n<!-- generated:lines -->\nIt is about 3 lines.\n<!-- end -->\n\nAfter.\n')
    const found = execFileSync('find', ['local/cloud', '-name', '*.ts', '-exec', 'cat', '{}', '+'], { cwd: root })
    const counted = found.toString().split('\n').length - 1
    const [, said = ''] =
      /^# Before\n\n<!-- generated:lines -->\n\nIt is about ([\d,]+) lines, comments included\.\n\n<!-- end -->\n\nAfter\.\n$/.exec(
        text,
      ) ?? []
    expect(Math.abs(Number(said.replace(',', '')) - counted)).toBeLessThanOrEqual(50)
  })

  it('fails without its markers', () => {
    expect(() => renderCloud('# AWS on a laptop\n')).toThrow(
      'local/cloud/README.md needs a line <!-- generated:lines -->',
    )
  })
})
