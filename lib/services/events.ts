import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'

/** What Showrunner tells the world: on the bus under source `showrunner`, the kind as detail type. */
export interface ShowrunnerEvent {
  readonly kind: 'show.ended' | 'recording.published'
  /** To deduplicate by: the same event told twice has the same id. */
  readonly id: string
  readonly detail: Readonly<Record<string, unknown>>
}

export interface Events {
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
      const answer = await bridge.send(new PutEventsCommand({ Entries: [entry] }))
      const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode)
      if (refused) throw new Error(`The event ${kind} was refused by the bus: ${refused.ErrorCode}.`)
    },
  }
}
