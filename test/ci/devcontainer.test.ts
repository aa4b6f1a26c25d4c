import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultPorts } from '../../bin/local/preferred-port.ts'
import { root } from '../../bin/local/root.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { image, forwardPorts, portsAttributes } = JSON.parse(read('.devcontainer/devcontainer.json'))

describe('the development container', () => {
  it('forwards the ports of npm start, each with a label', () => {
    const ports = Object.values(defaultPorts)
    expect([forwardPorts, Object.keys(portsAttributes).map(Number)]).toEqual([ports, ports])
  })

  it('has the image that the tests run in', () => {
    expect(read('.github/workflows/ci.yml')).toContain(`image: ${image}\n`)
  })
})
