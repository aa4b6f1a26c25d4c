import type { Planted } from '../mutant.ts'

const COMPOSITE = 'lib/publish/composite.ts'
const INSPECTION = 'lib/publish/inspect-archive.ts'
const MACHINE = 'statemachines/publish.asl.json'

/** Mistakes in composites of individual archives. */
export const composing: readonly Planted[] = [
  {
    what: 'pieces of a composite that overlap',
    edits: [{ file: COMPOSITE, text: 'Math.min(compositeFrameAt(piece.end), plan.frames)', instead: 'plan.frames' }],
    seed: 46,
  },
  {
    what: 'a composite without its last piece',
    edits: [{ file: COMPOSITE, text: 'index < pieces; index++', instead: 'index < pieces - 1; index++' }],
    seed: 46,
  },
  {
    what: 'a composite without the audio of one stream',
    edits: [{ file: COMPOSITE, text: 'plan.voices.length > 0', instead: 'plan.voices.length > 1' }],
    seed: 46,
  },
  {
    what: 'mixed audio that is left out of the composite',
    edits: [{ file: COMPOSITE, text: 'hasAudio ? await open(audio) : null', instead: 'null' }],
    seed: 46,
  },
  {
    what: 'one stream that is not composed',
    edits: [
      {
        file: INSPECTION,
        text: "wanted.includes('composite') && streams.length > 0",
        instead: "wanted.includes('composite') && streams.length > 1",
      },
    ],
    seed: 46,
  },
  {
    what: 'formats that are made of a zip',
    edits: [{ file: INSPECTION, text: 'isComposed || composite ? [...wanted] : []', instead: '[...wanted]' }],
    seed: 30,
  },
  {
    what: 'a composite that is not listed',
    edits: [
      {
        file: MACHINE,
        text: '"composed": "{% [$states.result.files] %}"',
        instead: '"composed": []',
      },
    ],
    seed: 46,
  },
  {
    what: 'a composite of which nothing else is made',
    edits: [
      {
        file: MACHINE,
        text: '"source": "{% $merge([$source, $states.result.composite]) %}"',
        instead: '"source": "{% $source %}"',
      },
    ],
    seed: 46,
  },
]
