import { describe, expect, it } from 'vitest'
import { localSettings } from '../../../bin/local/assembly.ts'
import { createReader } from '../../../bin/mutants/find-mutants.ts'
import { mutatedTemplate } from '../../../bin/mutants/mutated-template.ts'
import { readDefinition } from '../../../lib/constructs/deploy/definition.ts'
import type { Template } from '../../../local/cloud/assembly.ts'

const machine = (name: string) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: { DefinitionString: readDefinition(name, localSettings).text },
})
const template: Template = { Resources: { Watch: machine('watch'), Rescue: machine('rescue') } }
const file = 'statemachines/watch.asl.json'
const source = createReader()(file)

describe('mutatedTemplate', () => {
  it('replaces the definition of one machine, and completes it', () => {
    const mutated = mutatedTemplate(template, {
      [file]: source.replace('"Watched": {', '"Watched": { "Comment": "over",'),
    })
    const { States } = JSON.parse(String(mutated.Resources.Watch?.Properties?.DefinitionString))
    expect(States.Watched).toEqual({ Comment: 'over', Type: 'Succeed' })
    expect(States['Watch show'].Retry).not.toHaveLength(0)
    expect(mutated.Resources.Rescue).toEqual(template.Resources.Rescue)
  })

  it('leaves the template when only code changes', () => {
    expect(mutatedTemplate(template, { 'lib/show/run/adoption.ts': '' })).toBe(template)
  })

  it('refuses a machine that the template does not have', () => {
    const { Rescue } = template.Resources
    const without = { Resources: Rescue ? { Rescue } : {} }
    expect(() => mutatedTemplate(without, { [file]: source })).toThrow(
      `The template has no machine with the definition of ${file}.`,
    )
  })
})
