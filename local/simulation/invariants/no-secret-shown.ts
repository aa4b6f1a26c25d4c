import { createSecretSearch } from '../environment/secret-search.ts'
import type { Evidence } from './evidence.ts'

/**
 * Checks that no secret is in an execution’s input, output or history, in a log line, an event, a message of a queue,
 * or the bucket. The store of secrets and the platform are exempt.
 */
export function noSecretShown(evidence: Evidence): string[] {
  const { executions, objects, formerObjects, output, trace, callbacks, messages, secrets, stackSteps, removalTrace } =
    evidence
  const events = [...evidence.events, ...evidence.platformEvents]
  const search = createSecretSearch(secrets)
  const places: [name: string, text: string][] = [
    ...executions.map(({ machine, name, history, ...description }): [string, string] => [
      `the history of ${machine} ${name}`,
      `${JSON.stringify(history)}\n${JSON.stringify(description)}`,
    ]),
    ...[...objects].map(([key, { text }]): [string, string] => [`the object ${key}`, `${key}\n${text}`]),
    ...formerObjects.map(({ key, text }): [string, string] => [`a version of the object ${key}`, text]),
    ['the log', output.join('\n')],
    ['the trace', [...trace, ...removalTrace].map(({ line }) => line).join('\n')],
    ...stackSteps.flatMap(({ act }) =>
      act.kind === 'request'
        ? act.answers.map((answer): [string, string] => ['an answer to CloudFormation', JSON.stringify(answer)])
        : [],
    ),
    ...events.map((event): [string, string] => [`the event ${event['detail-type']}`, JSON.stringify(event)]),
    ...callbacks.map(({ url, body }): [string, string] => [`a callback to ${url}`, `${url}\n${body}`]),
    ...messages.map(({ queue, text }): [string, string] => [`a message of ${queue}`, text]),
  ]
  return places.flatMap(([place, text]) => search(text).map((name) => `${place} shows ${name}`))
}
