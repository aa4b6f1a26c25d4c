import { createHash, randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { ListRulesCommand } from '@aws-sdk/client-eventbridge'
import { ListQueuesCommand } from '@aws-sdk/client-sqs'
import { isAlive } from '../../local/is-alive.ts'
import { type ListenClients, type ListenNames, removeQueue, removeRule } from './subscription.ts'

/** Characters of a bus in the name of a queue, which has at most 80. */
const MAX_BUS = 40

/** Returns a short name of this user on this machine. */
export const machineUser = (): string =>
  createHash('sha256').update(`${hostname()} ${userInfo().uid}`).digest('hex').slice(0, 10)

/**
 * Returns the names of a process’s rule and queue. They contain its user on this machine, and its id. A random part follows,
 * because SQS refuses the name of a queue that was deleted within the last minute.
 */
export function listenNames(bus: string, user = machineUser(), pid = process.pid): ListenNames {
  const own = `${pid}-${randomBytes(3).toString('hex')}`
  return { bus, rule: `${rulePrefix(user)}${own}`, queue: `${queuePrefix(bus, user)}${own}` }
}

/**
 * Removes the rules and queues of this user's processes on this machine that were killed. Those of running processes, and of
 * other users and machines, stay.
 * @returns the number of what was removed
 */
export async function removeLeftovers(clients: ListenClients, bus: string, user = machineUser()): Promise<number> {
  const [rules, queues] = [rulePrefix(user), queuePrefix(bus, user)]
  const { Rules = [] } = await clients.bridge.send(new ListRulesCommand({ EventBusName: bus, NamePrefix: rules }))
  const { QueueUrls = [] } = await clients.sqs.send(new ListQueuesCommand({ QueueNamePrefix: queues }))
  const leftRules = Rules.flatMap(({ Name = '' }) => (isLeft(Name) ? Name : []))
  const leftQueues = QueueUrls.filter(isLeft)
  for (const rule of leftRules) await removeRule(clients, bus, rule)
  for (const url of leftQueues) await removeQueue(clients, url)
  return leftRules.length + leftQueues.length
}

const rulePrefix = (user: string) => `listen-${user}-`
const queuePrefix = (bus: string, user: string) => `${bus.slice(0, MAX_BUS)}-${rulePrefix(user)}`

/** Returns whether the process in a name has ended. An earlier process may have had the id of this one. */
const isLeft = (name: string): boolean => {
  const pid = Number(/-(\d+)-[0-9a-f]{6}$/.exec(name)?.[1])
  return pid === process.pid || !isAlive(pid)
}
