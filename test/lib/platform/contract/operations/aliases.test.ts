import { describe, expect, it } from 'vitest'
import { canonicalPath } from '../../../../../lib/platform/contract/operations/aliases.ts'

describe('canonicalPath', () => {
  it.each([
    ['/v2/partner/100001/archive', '/v2/project/100001/archive'],
    ['/v2/partner', '/v2/project'],
    ['/v2/project/100001/call', '/v2/project/100001/dial'],
    ['/v2/partner/100001/call/', '/v2/project/100001/dial'],
    ['/v2/project/100001/session/1_x/stream/', '/v2/project/100001/session/1_x/stream'],
    ['/session/create/', '/session/create'],
  ])('resolves %s to %s', (written, meant) => {
    expect(canonicalPath(written)).toBe(meant)
  })

  it.each(['/', '/v2/partners/1', '/v2/project/1/archive/call', '/v2/project/1/dial', '/partner/1'])(
    'keeps %s',
    (path) => {
      expect(canonicalPath(path)).toBe(path)
    },
  )
})
