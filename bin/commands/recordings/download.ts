import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { interruptible } from '../../local/interruption.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { parseArchiveId } from '../../parsers.ts'
import { printResult } from '../../print.ts'
import { type Downloaded, downloadFile } from '../../recordings/download-file.ts'
import { type FileKind, fileKinds, filesOf } from '../../recordings/file-names.ts'
import { findRecordings, type NamedRecording } from '../../recordings/find-recordings.ts'
import { inMegabytes } from '../../shows/progress.ts'
import { createShowApi, type ShowApi } from '../../shows/show-api.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'

interface Options extends TargetOptions {
  readonly output: string
  readonly kind: readonly FileKind[]
  readonly json?: boolean
}

const HELP = `
The name of a file has the show, the recording and the day: "Launch webinar – program – 2026-11-22.mp4". An interrupted
download is resumed when the command runs again. A file gets its name once its bytes are verified.

Examples:
  showrunner recordings download launch-webinar-20261122
  showrunner recordings download 9b1c2f1e-6d3a-4c55-8f0e-2a7d1c9be001 --kind video captions --output ~/Videos`

export const downloadCommand = () =>
  withTarget(new Command('download').description('download the video of a recording, or other files of it'))
    .argument('<id>', 'id of the archive, or of a show: all its recordings', parseArchiveId)
    .option('-o, --output <dir>', 'folder for the files', '.')
    .addOption(new Option('--kind <kinds...>', 'files to download').choices(fileKinds).default(['video'], 'video'))
    .option('--json', 'print only { files: [{ archiveId, path, size, outcome }] }, as JSON')
    .addHelpText('after', HELP)
    .action((id: string, options: Options) => interruptible((signal) => runDownload(id, options, signal)))

async function runDownload(
  id: string,
  { output, kind, json = false, ...where }: Options,
  signal: AbortSignal,
): Promise<void> {
  const api = createShowApi((await findTarget(where)).access)
  const found = await findRecordings(api, id)
  const folder = resolve(output)
  const files: (Downloaded & { archiveId: string })[] = []
  const stream = json ? process.stderr : process.stdout
  try {
    for (const named of found)
      for (const one of kind)
        for (const done of await downloadKind(api, named, one, { folder, stream, signal })) {
          files.push({ archiveId: named.recording.archiveId, ...done })
          const state = done.outcome === 'present' ? 'is already there' : inMegabytes(done.size)
          stream.write(`✔ ${done.path} (${state})\n`)
        }
  } catch (error) {
    if (signal.aborted) stream.write('Interrupted. Run the command again to resume.\n')
    throw error
  }
  if (files.length === 0) throw new Error(`The recording ${id} has no file of the kind ${kind.join(' or ')}.`)
  if (json) printResult(json, { files }, [])
}

async function downloadKind(
  { recordings }: Pick<ShowApi, 'recordings'>,
  named: NamedRecording,
  kind: FileKind,
  {
    folder,
    stream,
    signal,
  }: { readonly folder: string; readonly stream: NodeJS.WriteStream; readonly signal: AbortSignal },
): Promise<Downloaded[]> {
  const done: Downloaded[] = []
  for (const [index, file] of filesOf(named, kind).entries()) {
    const line = createProgressLine(stream)
    const renew = async () => {
      const recording = await recordings.get(named.recording.archiveId, { signal })
      const renewed = filesOf({ ...named, recording }, kind)[index]
      if (renewed?.version === file.version) return renewed.url
      throw new Error(`${file.fileName} was replaced or deleted during the download. Start the download again.`)
    }
    const startedAt = performance.now()
    let from: number | undefined
    const onProgress = (stored: number) => {
      from ??= stored
      const speed = (stored - from) / Math.max(1, performance.now() - startedAt) / 1000
      const share = Math.floor((100 * stored) / Math.max(1, file.size))
      line.show(`${share} % of ${inMegabytes(file.size)}, ${speed.toFixed(1)} MB/s  ${file.fileName}`)
    }
    try {
      done.push(await downloadFile(file, { folder, onProgress, renew, signal }))
    } finally {
      line.clear()
    }
  }
  return done
}
