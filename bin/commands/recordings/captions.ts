import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { Command } from 'commander'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { languageOf } from '../../recordings/file-names.ts'
import { createShowApi, type ShowApi } from '../../shows/show-api.ts'

interface Options extends TargetOptions {
  readonly delete?: boolean
  readonly json?: boolean
}

const HELP = `
Examples:
  showrunner recordings captions ID                    lists the languages
  showrunner recordings captions ID en                 prints the captions in English, as WebVTT
  showrunner recordings captions ID en talk.vtt        supplies or replaces them; - is standard input
  showrunner recordings captions ID en --delete        deletes them`

export const captionsCommand = () =>
  withTarget(new Command('captions').description('list, print, supply or delete the captions of a recording'))
    .argument('<id>', 'id of the archive', parseArchiveId)
    .argument('[language]', 'language of the captions, such as en or pt-BR')
    .argument('[file]', 'WebVTT file for the whole recording, or - for standard input')
    .option('--delete', 'delete the captions in the language')
    .option('--json', 'print only { archiveId, captions }, as JSON; captions lists the languages')
    .addHelpText('after', HELP)
    .action(runCaptions)

async function runCaptions(
  archiveId: string,
  language: string | undefined,
  file: string | undefined,
  { delete: isDeleted = false, json, ...where }: Options,
): Promise<void> {
  if (isDeleted && (language === undefined || file !== undefined))
    throw new Error('--delete needs a language, and no file.')
  const { recordings } = createShowApi((await findTarget(where)).access)
  if (language === undefined || (file === undefined && !isDeleted)) {
    const found = await readCaptions(recordings, archiveId)
    if (language === undefined) return printResult(json, { archiveId, captions: Object.keys(found) }, linesOf(found))
    const url = found[language]
    if (url === undefined)
      throw new Error(`The recording ${archiveId} has no captions in ${language}. ${linesOf(found).join(' ')}`)
    const text = await download(url)
    return printResult(json, { archiveId, language, text }, [text.trimEnd()])
  }
  const answer = isDeleted
    ? await recordings.deleteCaptions(archiveId, language)
    : await recordings.putCaptions(archiveId, language, await read(file ?? ''))
  const languages = answer.captions.join(', ') || 'none'
  printResult(json, answer, [
    `The captions in ${language} were ${isDeleted ? 'deleted' : 'stored'}. Now: ${languages}.`,
  ])
}

/** Reads the links to the captions of a recording, by language. */
async function readCaptions(recordings: ShowApi['recordings'], archiveId: string): Promise<Record<string, string>> {
  const { files } = await recordings.get(archiveId)
  return Object.fromEntries(
    files.flatMap(({ role, key, url }) => (role === 'captions' ? [[languageOf(key), url] as const] : [])),
  )
}

const linesOf = (found: Record<string, string>) => {
  const languages = Object.keys(found)
  return [languages.length > 0 ? `Captions in: ${languages.join(', ')}.` : 'It has no captions.']
}

async function download(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The captions cannot be downloaded: the server answered ${response.status}.`)
  return response.text()
}

const read = (file: string): Promise<string> =>
  (file === '-' ? readText(process.stdin) : readFile(file, 'utf8')).catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${cause.code === 'ENOENT' ? 'it does not exist' : cause.message}.`, {
      cause,
    })
  })
