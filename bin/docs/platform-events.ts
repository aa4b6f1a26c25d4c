import { PLATFORM_EVENT_SOURCE, platformEvents } from '../../lib/events/platform-events.ts'
import { callbacks } from '../../lib/platform/contract/callbacks.ts'
import { jsonSchemaOf } from '../../lib/platform/contract/operations/openapi.ts'

/** Describes the platform's events on the stack's bus as JSON Schema, with one form per detail type. */
export function describePlatformEvents(): object {
  const forms = Object.entries(platformEvents).map(([kind, detail]) => {
    const { $schema: _, ...schema } = jsonSchemaOf(detail)
    return {
      title: kind,
      description: `Sent on ${callbacks[kind as keyof typeof callbacks].on}.`,
      type: 'object',
      properties: { source: { const: PLATFORM_EVENT_SOURCE }, 'detail-type': { const: kind }, detail: schema },
      required: ['source', 'detail-type', 'detail'],
    }
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the video platform',
    description: 'What the platform’s callbacks report, on the bus showrunner-<stage>.',
    oneOf: forms,
  }
}
