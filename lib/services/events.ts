import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { ServiceError } from '../workflow/errors.ts'

/** What Showrunner tells the world: on the bus under source `showrunner`, the kind as detail type. */
export interface ShowrunnerEvent {
  readonly kind: 'show.ended' | 'recording.published'
  /** To deduplicate by: the same event told twice has the same id. */
  readonly id: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface Events {
  /** @throws ServiceError when the bus did not take it */
  tell(event: ShowrunnerEvent): Promise<void>
}

export function createEvents(bridge: EventBridgeClient, bus: string): Events {
  return {
    async tell({ kind, id, detail }) {
      const entry = {
        EventBusName: bus,
        Source: 'showrunner',
        DetailType: kind,
        Detail: JSON.stringify({ id, ...detail }),
      }
      const failed = (reason: string | undefined, cause?: unknown) =>
        new ServiceError(`The bus ${bus} did not take the event ${kind} (${reason}).`, { cause })
      const answer = await bridge.send(new PutEventsCommand({ Entries: [entry] })).catch((cause: Error) => {
        throw failed(`${cause.name}: ${cause.message}`, cause)
      })
      const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode)
      if (refused) throw failed(refused.ErrorCode)
    },
  }
}
