import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAssembly } from '../../../local/cloud/assembly.ts'
import { temporaryFolder, writeAssembly } from './small-assembly.ts'

describe('readAssembly', () => {
  it('reads the stack’s template and finds the folders of its assets', () => {
    using folder = temporaryFolder()
    const assembly = writeAssembly(folder.path, { Resources: {} }, { abc: '' })
    expect(assembly.stackName).toBe('Small')
    expect(assembly.template).toEqual({ Resources: {} })
    expect(assembly.assetFolder('abc.zip')).toBe(join(folder.path, 'asset.abc'))
    expect(() => assembly.assetFolder('def.zip')).toThrow('The assembly has no asset def.zip.')
  })

  it('finds the folder of an asset that was not copied', () => {
    using folder = temporaryFolder()
    writeAssembly(folder.path, { Resources: {} }, { abc: '' })
    const files = { abc: { source: { path: '/elsewhere/abc' } } }
    writeFileSync(join(folder.path, 'Small.assets.json'), JSON.stringify({ files }))
    expect(readAssembly(folder.path).assetFolder('abc.zip')).toBe('/elsewhere/abc')
  })

  it('says in a sentence that there is no assembly', () => {
    using folder = temporaryFolder()
    expect(() => readAssembly(folder.path)).toThrow(
      `${folder.path} has no assembly: manifest.json cannot be read. Run cdk synth.`,
    )
  })

  it('refuses several stacks, since it would have to choose', () => {
    using folder = temporaryFolder()
    const stack = { type: 'aws:cloudformation:stack' }
    writeFileSync(join(folder.path, 'manifest.json'), JSON.stringify({ artifacts: { One: stack, Two: stack } }))
    expect(() => readAssembly(folder.path)).toThrow('has 2 stacks. Exactly one can be run')
  })
})
