import { InvalidArgumentError } from 'commander'
import { MAX_SHOW_SECONDS } from '../../lib/show/document/duration.ts'
import { wholeNumber } from '../parsers.ts'

/** Answers to the questions of `init`. */
export interface Answers {
  readonly name: string
  /** Seconds. */
  readonly duration: number
  /** Broadcasts the show live by HLS. */
  readonly live: boolean
  /** Lets anyone with the address of the watch page watch. */
  readonly public: boolean
  /** Port of the receiver on 127.0.0.1. */
  readonly port: number
}

/** A question, with the option of the same name. */
export interface Question {
  readonly text: string
  readonly fallback: string
  /** @throws InvalidArgumentError for a text that is not an answer */
  parse(text: string): Answers[keyof Answers]
}

const MAX_NAME = 100

function parseName(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_NAME && !/\p{Cc}/u.test(text)) return text.trim()
  throw new InvalidArgumentError(`It must have 1 to ${MAX_NAME} characters in one line.`)
}

function parseYes(text: string): boolean {
  if (/^y(es)?$/i.test(text)) return true
  if (/^no?$/i.test(text)) return false
  throw new InvalidArgumentError('It must be yes or no.')
}

/** The questions by the answer's name, in the order in which they are asked. */
export const questions = {
  name: { text: 'Name of the show', fallback: 'My first show', parse: parseName },
  duration: { text: 'Duration in seconds', fallback: '30', parse: wholeNumber(1, MAX_SHOW_SECONDS) },
  live: { text: 'Broadcast it live by HLS (yes or no)', fallback: 'yes', parse: parseYes },
  public: { text: 'May anyone watch the recording (yes or no)', fallback: 'no', parse: parseYes },
  port: { text: 'Port of your app', fallback: '3000', parse: wholeNumber(1, 65_535) },
} as const satisfies Readonly<Record<keyof Answers, Question>>

/** Asks one question, and returns what the user types. */
export type Ask = (prompt: string) => Promise<string>

/**
 * Completes answers. An empty line chooses the default, and a wrong answer is asked for again.
 * @param ask undefined takes the defaults without asking
 */
export async function completeAnswers(given: Partial<Answers>, ask: Ask | undefined): Promise<Answers> {
  const answers: Record<string, unknown> = { ...given }
  for (const [name, question] of Object.entries<Question>(questions))
    answers[name] ??= await (ask ? answerTo(question, ask) : question.parse(question.fallback))
  return answers as unknown as Answers
}

async function answerTo({ text, fallback, parse }: Question, ask: Ask): Promise<Answers[keyof Answers]> {
  for (let hint = ''; ; ) {
    const typed = (await ask(`${hint}${text} (${fallback}): `)).trim()
    try {
      return parse(typed === '' ? fallback : typed)
    } catch (error) {
      hint = `${(error as Error).message} `
    }
  }
}
