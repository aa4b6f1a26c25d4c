import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../bin/local/root.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'showrunner-supply-'))
  mkdirSync(join(folder, '.ci'))
  cpSync(join(root, '.ci/supply-chain'), join(folder, '.ci/supply-chain'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the script with an npm that answers like this, and exits with 1 as the real one does with findings and without an answer. */
function run(audit: unknown, signatures: unknown) {
  const answers = { sbom: { components: [1, 2] }, audit, signatures }
  const npm = `#!/bin/sh\ncase "$*" in sbom*) echo '${JSON.stringify(answers.sbom)}';; *signatures*) echo '${JSON.stringify(signatures)}'; exit 1;; *) echo '${JSON.stringify(audit)}'; exit 1;; esac\n`
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 })
  const PATH = [folder, dirname(process.execPath), process.env.PATH].join(delimiter)
  const { status, stdout } = spawnSync(join(folder, '.ci/supply-chain'), {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  })
  return [status, stdout.split('\n').slice(0, 3)]
}
const found = (high: number) => ({ metadata: { vulnerabilities: { low: 3, high, critical: 0 } }, vulnerabilities: {} })

describe('.ci/supply-chain', () => {
  it('passes what has no findings, and writes the list of packages', () => {
    expect(run(found(0), { invalid: [], missing: [{ name: 'a' }] })).toEqual([
      0,
      ['sbom: 2 packages', 'vulnerabilities: 0 found', 'invalid signatures: 0 found'],
    ])
    expect(JSON.parse(readFileSync(join(folder, 'dist/sbom.cdx.json'), 'utf8')).components).toHaveLength(2)
  })

  it('passes a registry that does not answer such questions', () => {
    expect(run({ statusCode: 405, error: {} }, { error: { code: 'ENOTFOUND' } })).toEqual([
      0,
      [
        'sbom: 2 packages',
        'vulnerabilities: the registry does not answer',
        'invalid signatures: the registry does not answer',
      ],
    ])
  })

  it('fails for a serious vulnerability and for an invalid signature', () => {
    expect(run(found(1), { invalid: [], missing: [] })[0]).toBe(1)
    expect(run(found(0), { invalid: [{ name: 'a' }], missing: [] })[0]).toBe(1)
  })
})

describe('.npmrc', () => {
  it('lets no package run a script when it is installed', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
  })
})

describe('bin/node-path.sh', () => {
  it('is what every script of npm begins with, and leads to the Node of node_modules', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const script of Object.values(scripts)) expect(script).toMatch(/^\. \.\/bin\/node-path\.sh && /)
    const { stdout } = spawnSync('sh', ['-c', '. ./bin/node-path.sh && node --version'], {
      ...{ cwd: root, encoding: 'utf8' as const },
      env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) },
    })
    expect(stdout).toBe(`${process.version}\n`)
  })
})
