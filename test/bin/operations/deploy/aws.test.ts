import { describe, expect, it } from 'vitest'
import { type AwsFacts, checkAws } from '../../../../bin/operations/deploy/aws.ts'

const role = (name: string) => `arn:aws:iam::111122223333:role/${name}`
const bootstrapped = [role('Admin'), role('cdk-hnb659fds-deploy-role-111122223333-eu-central-1')]
const stateOf = (facts: Partial<AwsFacts>, qualifier = 'hnb659fds') =>
  Object.fromEntries(
    checkAws({ region: 'eu-central-1', credentials: 'found', roles: bootstrapped, ...facts }, qualifier).map(
      ({ what, state, message }) => [what, [state, message]],
    ),
  )

describe('checkAws', () => {
  it('passes an account that is ready', () => {
    expect(stateOf({})).toEqual({
      'AWS credentials': ['ok', '111122223333'],
      region: ['ok', 'eu-central-1'],
      'CDK bootstrap': ['ok', 'hnb659fds'],
    })
  })

  it.each([
    ['of another region', { region: 'us-east-1' }, 'hnb659fds', 'us-east-1'],
    ['of another qualifier', {}, 'mine', 'eu-central-1'],
  ])('reports how to bootstrap if the bootstrap is %s', (_, facts, qualifier, region) => {
    expect(stateOf(facts, qualifier)['CDK bootstrap']).toEqual([
      'missing',
      `Run once for the account and region: npx cdk bootstrap aws://111122223333/${region}`,
    ])
  })

  it('leaves to the deployment what it is not allowed to read', () => {
    const problem = 'User is not authorized to perform: iam:ListRoles'
    const states = stateOf({ roles: { problem } })
    expect([states['AWS credentials']?.[0], states['CDK bootstrap']?.[0]]).toEqual(['ok', 'unknown'])
  })

  it('asks for credentials and a region', () => {
    const problem = 'Could not load credentials from any providers'
    const states = stateOf({ region: undefined, credentials: { problem }, roles: { problem } })
    expect(states['AWS credentials']).toEqual(['missing', expect.stringContaining(problem)])
    expect(states.region).toEqual(['missing', 'Set region in cdk.json, or AWS_REGION.'])
  })
})
