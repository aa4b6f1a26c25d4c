import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger'
import type { ConstructorOptions, LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types'

export type WriteLine = (line: string) => void

const SECRET_NAME = /secret|password|passwd|token|authorization|credential|private.?key|signature|stream.?name/i

/** Levels of the setting `logs.level`, as Powertools numbers them. */
const LEVELS: Readonly<Record<string, number>> = { DEBUG: 8, INFO: 12, WARN: 16, ERROR: 20 }

/**
 * A Powertools logger that timestamps lines with the injected clock and writes those of POWERTOOLS_LOG_LEVEL and above to the
 * injected sink. Powertools itself prefers the level of Lambda's filter, which is lower because metrics have to pass it.
 */
export class WrittenLogger extends Logger {
  readonly #write: WriteLine
  readonly #level = LEVELS[process.env.POWERTOOLS_LOG_LEVEL ?? ''] ?? 0

  constructor({ now, write }: { readonly now: () => number; readonly write: WriteLine }) {
    super({ logFormatter: new Formatter(now), jsonReplacerFn: hideNamed } satisfies ConstructorOptions)
    this.#write = write
  }

  protected override printLog(level: number, item: LogItem): void {
    if (level < this.#level) return
    this.#write(JSON.stringify(item.getAttributes(), this.getJsonReplacer()))
  }
}

const hideNamed = (name: string, value: unknown) =>
  typeof value === 'string' && SECRET_NAME.test(name) ? '[secret]' : value

/** Formats a line with the names of this project in place of those of Powertools. */
class Formatter extends LogFormatter {
  readonly #now: () => number

  constructor(now: () => number) {
    super()
    this.#now = now
  }

  formatAttributes(given: UnformattedAttributes, extra: LogAttributes): LogItem {
    const { logLevel: level, serviceName: service, message, xRayTraceId: traceId, lambdaContext } = given
    const attributes = {
      level,
      message,
      timestamp: new Date(this.#now()).toISOString(),
      service,
      requestId: lambdaContext?.awsRequestId,
      traceId,
    }
    return new LogItem({ attributes }).addAttributes(extra)
  }
}
