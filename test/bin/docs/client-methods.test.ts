import { describe, expect, it } from 'vitest'
import { clientMethodFiles } from '../../../bin/docs/client-methods.ts'
import { classify } from '../../../lib/platform/client/errors.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { operations } from '../../../lib/platform/contract/operations/operations.ts'

const texts = Object.entries(clientMethodFiles).map(([path, render]) => [path, render()] as const)
const methods = texts.filter(([path]) => path.endsWith('-methods.ts')).map(([, text]) => text)

/** Returns the comments of a method in the interfaces of the client. */
const commentsOf = (name: string) =>
  methods.flatMap((text) => [...text.matchAll(new RegExp(` {2}/\\*\\*((?:(?!\\*/).)*)\\*/\\n {2}${name}\\(`, 'gs'))])

describe('clientMethodFiles', () => {
  it.each(Object.entries<Operation>(operations))('document %s once, as in the contract', (name, operation) => {
    const [[, comment = ''] = [], ...others] = commentsOf(name)
    expect(others).toEqual([])
    const lines = comment.split('\n').map((line) => line.replace(/^ {3}\* ?/, ''))
    expect(lines[1]).toBe(operation.summary)
    for (const limit of operation.limits ?? []) expect(lines).toContain(`- ${limit}`)
    for (const [status, cause] of Object.entries(operation.errors)) {
      const { name: errorName } = classify(Number(status)).errorClass
      expect(lines).toContain(`@throws ${status} {@link ${errorName}}: ${cause}`)
    }
    expect(comment.match(/@example\n/g)).toHaveLength(1)
    expect(comment).toMatch(new RegExp(`\`\`\`ts\\n.*await client\\.${name}\\(.*\`\`\`\\n *$`, 's'))
  })

  it.each(texts)('%s imports every error that it links', (_, text) => {
    const [imports = ''] = text.split('export interface')
    for (const [, error = ''] of text.matchAll(/\{@link (\w+)\}/g)) expect(imports).toMatch(`${error}`)
  })

  it('state the bounds and defaults of arguments', () => {
    const [[, comment = ''] = []] = commentsOf('startBroadcast')
    expect(comment).toContain('- `maxDuration`: Seconds after which the broadcast stops; 60 to 36000; default 14400\n')
  })

  it('name the error that deleteArchive throws for an unknown archive', () => {
    const [[, comment = ''] = []] = commentsOf('deleteArchive')
    expect(comment).toContain('@throws 403 {@link PlatformNotFoundError}: ')
  })
})
