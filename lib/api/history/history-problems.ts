/** Problem types of the routes about the course of a show. */
export const historyProblems = {
  'unknown-delivery': {
    status: 404,
    meaning: 'The show has no event whose delivery has this id.',
    action: 'List deliveries with `GET /shows/{id}/deliveries`.',
  },
  'no-callback': {
    status: 409,
    title: 'No callback',
    meaning: 'The show names no callback, so its events are delivered on the event bus only.',
    action: 'Read the events with `GET /shows/{id}/events`.',
  },
  'unknown-execution': {
    status: 404,
    meaning: 'The show has no execution of this name, or it ended more than 90 days ago.',
    action: 'Read the execution of the show without a name: its states name their children.',
  },
  'not-redrivable': {
    status: 409,
    meaning: 'The newest execution of the show runs, has succeeded, would fail again, or ended more than 14 days ago.',
    action: 'Read the execution of the show. Rebuild a recording that is not published.',
  },
} as const
