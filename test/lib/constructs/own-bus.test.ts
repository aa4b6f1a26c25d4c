import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { DefinitionBody, Pass, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { describe, expect, it } from 'vitest'
import { OwnBus } from '../../../lib/constructs/own-bus.ts'
import { NotifyTrigger } from '../../../lib/constructs/triggers.ts'
import { matches } from '../../../local/cloud/events/pattern.ts'
import { type PlainTemplate, readTemplate } from './template.ts'

/** What a deployment of this stage has for its owner events. */
function synthesize(stage: string): PlainTemplate {
  const stack = new Stack(new App(), `Showrunner-${stage}`)
  const bus = new OwnBus(stack, 'Bus', { eventBusName: `showrunner-${stage}` })
  for (const name of ['Report', 'Watch'])
    bus.addWriter(new Role(stack, name, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }))
  const machine = new StateMachine(stack, 'Tell', {
    definitionBody: DefinitionBody.fromChainable(new Pass(stack, 'Pass')),
  })
  new NotifyTrigger(stack, 'NotifyTrigger', { bus: bus.eventBus, stage, machine })
  return readTemplate(Template.fromStack(stack).toJSON())
}

const only = (template: PlainTemplate, type: string) => {
  const [found, ...others] = Object.values(template.of(type))
  expect(others).toEqual([])
  return found?.properties
}

/** Whether an event that a stage's function puts on its own bus starts the tell machine of another. */
function starts(from: string, to: string): boolean {
  const [source, target] = [synthesize(from), synthesize(to)]
  const rule = only(target, 'AWS::Events::Rule')
  const nameOf = (template: PlainTemplate) => only(template, 'AWS::Events::EventBus').Name
  const isSameBus = rule.EventBusName === '<Bus>' && nameOf(source) === nameOf(target)
  const event = { source: 'showrunner', 'detail-type': 'show.ended', detail: { stage: from, callback: true } }
  return isSameBus && matches(rule.EventPattern, event)
}

describe('OwnBus', () => {
  it('is denied to all principals except its writers', () => {
    const template = synthesize('live')
    expect(only(template, 'AWS::Events::EventBusPolicy')).toEqual({
      EventBusName: '<Bus>',
      StatementId: 'WritersOnly',
      Statement: {
        Sid: 'WritersOnly',
        Effect: 'Deny',
        Principal: '*',
        Action: 'events:PutEvents',
        Resource: '<Bus.Arn>',
        Condition: { ArnNotEquals: { 'aws:PrincipalArn': ['<Report.Arn>', '<Watch.Arn>'] } },
      },
    })
    expect(template.allowedTo('Report')).toEqual(['events:PutEvents on <Bus.Arn>'])
  })
})

describe('NotifyTrigger', () => {
  it('starts only for the events of its stage', () => {
    expect(starts('live', 'live')).toBe(true)
    expect(starts('live', 'dev')).toBe(false)
  })

  it('distinguishes stages by their events as well as by their buses', () => {
    const { EventPattern } = only(synthesize('live'), 'AWS::Events::Rule')
    const event = (stage?: string) => ({ source: 'showrunner', detail: { stage, callback: true } })
    expect([event('live'), event('dev'), event()].map((one) => matches(EventPattern, one))).toEqual([
      true,
      false,
      false,
    ])
  })
})
