import { describe, expect, it } from 'vitest'
import { deployedState, deploymentOf, redeployed } from '../../../../local/simulation/environment/deployments.ts'

const Resources = {
  Task: { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables: { STAGE: 'dev' } } } },
  TaskVersion1: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Task' } } },
  Machine: {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      DefinitionString: JSON.stringify({ StartAt: 'Work', States: { Work: { Type: 'Succeed' } } }),
      DefinitionSubstitutions: { Work: { Ref: 'TaskVersion1' } },
    },
  },
}

describe('redeployed', () => {
  it('gives functions another bundle and version, and machines another beginning', () => {
    const assembly = { stackName: 'stack', template: { Resources }, assetFolder: () => '' } as never
    const { Task, TaskVersion1Of2, Machine } = redeployed(assembly, 2).template.Resources
    expect(Task?.Properties).toEqual({ Environment: { Variables: { STAGE: 'dev', SIMULATED_DEPLOYMENT: '2' } } })
    expect(TaskVersion1Of2).toEqual(Resources.TaskVersion1)
    expect(Machine?.Properties?.DefinitionSubstitutions).toEqual({ Work: { Ref: 'TaskVersion1Of2' } })
    const { StartAt, States } = JSON.parse(String(Machine?.Properties?.DefinitionString))
    expect([StartAt, States[StartAt]]).toEqual(['Deployed 2', { Type: 'Pass', Next: 'Work' }])
  })

  it('finds the deployment of a state', () => {
    expect([deploymentOf(deployedState(3)), deploymentOf('Work')]).toEqual([3, undefined])
  })
})
