import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rotatable } from '../../../bin/operations/rotation.ts'
import { variables } from '../../../lib/tasks/environment.ts'
import { root } from '../sources.ts'

const text = readFileSync(join(root, 'docs/runbook.md'), 'utf8')

/** The headings on what is lost, by the variable that names the secret; what is stored nowhere has none. */
const lost: Readonly<Record<string, string | null>> = {
  'The upload key is lost': 'UPLOAD_SECRET',
  'The project secret is lost': 'PLATFORM_SECRET',
  'The account secret is lost': 'ACCOUNT_SECRET',
  'The callback key is lost': 'CALLBACK_KEY',
  'The callback secret is lost': 'CALLBACK_SECRET',
  'The secret of the platform’s callbacks is lost': 'PLATFORM_CALLBACKS',
  'The watch secret is lost': 'WATCH_SECRET',
  'The origin secret is lost': 'ORIGIN_SECRET',
  'A watch link is lost': null,
  'An operator’s token is lost': null,
  'A participant’s token is lost': null,
  'A secret of a show is lost': 'SHOW_SECRETS',
}

describe('docs/runbook.md', () => {
  it('has a heading for every secret that functions read, and for every token and link', () => {
    const secrets = Object.entries(variables).filter(([, summary]) => /\bsecrets?\b/.test(summary))
    expect(Object.values(lost).filter(Boolean).sort()).toEqual(secrets.map(([name]) => name).sort())
    expect([...text.matchAll(/^### (.+ is lost)$/gm)].map(([, heading]) => heading)).toEqual(Object.keys(lost))
  })

  it('gives the severity of every alarm, and whom it affects', () => {
    const headings = [...text.matchAll(/^## (.*[^?\n])$/gm)].map(([, heading]) => heading)
    const rows = [...text.matchAll(/^\| \[(.+)\]\(#.+\) \| [123] \| .+ \|$/gm)].map(([, heading]) => heading)
    expect(rows).toEqual(headings)
  })

  it('names commands that exist', () => {
    const known = readFileSync(join(root, 'bin/showrunner.ts'), 'utf8')
    const named = [...text.matchAll(/npm run showrunner -- ([a-z]+)(?: ([a-z-]+))?/g)]
    expect(named.length).toBeGreaterThan(10)
    for (const [, command, what] of named) {
      expect(known).toMatch(new RegExp(`/${command}\\.ts'`))
      if (command === 'rotate' && what) expect(Object.keys(rotatable)).toContain(what)
    }
  })

  it('says what its finder can do with each, and what to do', () => {
    const sections = text.split(/^### /m).filter((section) => /^.+ is lost\n/.test(section))
    for (const section of sections) expect(section).toMatch(/\*\*Its finder can\*\*.+\*\*Do:\*\*/s)
  })
})
