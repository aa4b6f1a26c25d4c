import { describe, expect, it } from 'vitest'
import { removeRedundantDependencies } from '../../../../lib/constructs/access/redundant-dependencies.ts'

describe('removeRedundantDependencies', () => {
  it('keeps only what no reference of the same resource implies', () => {
    const role = { 'Fn::GetAtt': ['Role', 'Arn'] }
    const Resources = {
      Both: { Properties: { Role: role }, DependsOn: ['Policy', 'Role'] },
      Implied: { Properties: { Deep: [{ 'Fn::Join': ['', ['a', { Ref: 'Policy' }]] }] }, DependsOn: 'Policy' },
      Needed: { Properties: {}, DependsOn: ['Policy'] },
      None: { Properties: { Role: role } },
    }
    removeRedundantDependencies({ Resources })
    expect(Resources).toEqual({
      Both: { Properties: { Role: role }, DependsOn: ['Policy'] },
      Implied: { Properties: Resources.Implied.Properties },
      Needed: { Properties: {}, DependsOn: ['Policy'] },
      None: { Properties: { Role: role } },
    })
  })
})
