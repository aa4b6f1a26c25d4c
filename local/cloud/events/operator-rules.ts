import { z } from 'zod'
import { AwsError, operation, validation } from '../endpoint/aws-json.ts'
import { ACCOUNT, REGION } from '../intrinsics.ts'
import type { DeadLetters } from '../queues/queues.ts'
import type { EventBuses, Rule } from './events.ts'
import type { Pattern } from './pattern.ts'

export interface OperatorRulesOptions {
  readonly events: Pick<EventBuses, 'addRule' | 'removeRule' | 'readBus'>
  readonly queues: DeadLetters
}

/** A rule that an operator has put. Its targets are queues. */
interface OperatorRule extends Rule {
  readonly name: string
  readonly bus: string
  /** ARNs of queues by the ids of the targets. */
  readonly targets: Map<string, string>
}

const name = z.string().regex(/^[\w.-]{1,64}$/)
const bus = z.string().optional()
const id = z.string().min(1)

/**
 * Creates the operations with which operators add rules to a bus for a while. Such rules have queues as targets, and last as
 * long as the process. Rules of the stack are not among them.
 */
export function createOperatorRules({ events, queues }: OperatorRulesOptions) {
  let rules: readonly OperatorRule[] = []

  const find = (Name: string, EventBusName: string | undefined) => {
    const bus = events.readBus({ EventBusName })
    return { bus, rule: rules.find((one) => one.name === Name && one.bus === bus) }
  }
  const require = (Name: string, EventBusName: string | undefined): OperatorRule => {
    const { rule } = find(Name, EventBusName)
    if (!rule) throw new AwsError('ResourceNotFoundException', `Rule ${Name} does not exist on EventBus.`)
    return rule
  }
  const forget = (rule: OperatorRule | undefined) => {
    if (!rule) return
    events.removeRule(rule)
    rules = rules.filter((one) => one !== rule)
  }

  function put(Name: string, EventPattern: string, EventBusName: string | undefined): OperatorRule {
    const { bus, rule: former } = find(Name, EventBusName)
    const targets = former?.targets ?? new Map<string, string>()
    const rule: OperatorRule = {
      name: Name,
      bus,
      targets,
      pattern: readPattern(EventPattern),
      deliver(event) {
        for (const arn of targets.values()) if (queues.has(arn)) queues.send(arn, JSON.stringify(event))
      },
    }
    addRule(rule)
    forget(former)
    rules = [...rules, rule]
    return rule
  }

  function addRule(rule: OperatorRule): void {
    try {
      events.addRule(rule)
    } catch (error) {
      throw new AwsError('InvalidEventPatternException', (error as Error).message)
    }
  }

  return {
    PutRule: operation(
      { Name: name, EventPattern: z.string(), EventBusName: bus, Description: z.string().optional() },
      ({ Name, EventPattern, EventBusName }) => ({ RuleArn: arnOf(put(Name, EventPattern, EventBusName)) }),
    ),
    DeleteRule: operation({ Name: name, EventBusName: bus }, ({ Name, EventBusName }) => {
      const { rule } = find(Name, EventBusName)
      if (rule && rule.targets.size > 0) throw validation("Rule can't be deleted since it has targets.")
      forget(rule)
      return {}
    }),
    ListRules: operation({ NamePrefix: name.optional(), EventBusName: bus }, ({ NamePrefix = '', EventBusName }) => {
      const bus = events.readBus({ EventBusName })
      const found = rules.filter((rule) => rule.bus === bus && rule.name.startsWith(NamePrefix))
      return { Rules: found.map(describe) }
    }),
    PutTargets: operation(
      {
        Rule: name,
        EventBusName: bus,
        Targets: z
          .array(z.strictObject({ Id: id, Arn: id }))
          .min(1)
          .max(5),
      },
      ({ Rule, EventBusName, Targets }) => {
        const { targets } = require(Rule, EventBusName)
        const other = Targets.find(({ Arn }) => !queues.has(Arn))
        if (other) throw validation(`${other.Arn} is not a queue, and only queues can be targets of this rule locally.`)
        for (const { Id, Arn } of Targets) targets.set(Id, Arn)
        return { FailedEntryCount: 0, FailedEntries: [] }
      },
    ),
    RemoveTargets: operation(
      { Rule: name, EventBusName: bus, Ids: z.array(id).min(1) },
      ({ Rule, EventBusName, Ids }) => {
        const { targets } = require(Rule, EventBusName)
        for (const Id of Ids) targets.delete(Id)
        return { FailedEntryCount: 0, FailedEntries: [] }
      },
    ),
  }
}

const arnOf = ({ name, bus }: OperatorRule) => `arn:aws:events:${REGION}:${ACCOUNT}:rule/${bus}/${name}`

const describe = (rule: OperatorRule) => ({
  Name: rule.name,
  Arn: arnOf(rule),
  EventBusName: rule.bus,
  EventPattern: JSON.stringify(rule.pattern),
  State: 'ENABLED',
})

function readPattern(text: string): Pattern {
  try {
    return JSON.parse(text)
  } catch {
    throw new AwsError('InvalidEventPatternException', 'Event pattern is not valid. Reason: it is not JSON.')
  }
}
