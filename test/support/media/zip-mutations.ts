import { createRandom, type Random } from '../../../local/simulation/scheduling/random.ts'
import { type PackedFile, packZip } from '../../lib/media/zip/packed.ts'
import { damageBytes } from './mutations.ts'

/** What an archive of single streams is made of. */
export interface ArchiveParts {
  readonly manifest: { readonly files: readonly Record<string, unknown>[]; readonly [field: string]: unknown }
  readonly files: readonly PackedFile[]
}

type Mutation = (parts: ArchiveParts, random: Random) => Buffer

const pick = <T>(items: readonly T[], random: Random) => items[random.below(items.length)] as T

const VALUES: readonly unknown[] = [
  ...[0, -1, 1e300, 1e15, 86_400_000, 2 ** 53, null, '', 'x', '../x', [], {}, true, 'a'.repeat(10_000)],
]
/** Returns the archive as the platform writes it. */
export const packArchive = ({ files, manifest }: ArchiveParts) =>
  packZip([...files, { name: 'archive.json', bytes: JSON.stringify(manifest), isDeflated: true }])

const fieldsOf = (record: object) => Object.keys(record)

const mutations: readonly Mutation[] = [
  function hasOtherField({ files, manifest }, random) {
    const changed = { ...manifest, [pick(fieldsOf(manifest), random)]: pick(VALUES, random) }
    return packArchive({ files, manifest: changed as ArchiveParts['manifest'] })
  },
  function hasOtherEntry({ files, manifest }, random) {
    const index = random.below(manifest.files.length)
    const entry = { ...manifest.files[index] }
    entry[pick(fieldsOf(entry), random)] = pick(VALUES, random)
    return packArchive({ files, manifest: { ...manifest, files: manifest.files.with(index, entry) } })
  },
  function namesOneAgain({ files, manifest }, random) {
    const count = 2 + random.below(30_000)
    const entry = pick(manifest.files, random)
    return packArchive({ files, manifest: { ...manifest, files: Array.from({ length: count }, () => entry) } })
  },
  function namesManyThatAreNotThere({ files, manifest }, random) {
    const entry = pick(manifest.files, random)
    const names = Array.from({ length: random.below(20_000) }, (_, n) => ({ ...entry, filename: `${n}.webm` }))
    return packArchive({ files, manifest: { ...manifest, files: [...manifest.files, ...names] } })
  },
  function hasManyFiles({ files, manifest }, random) {
    const count = random.below(12_000)
    const bytes = Buffer.from(pick(files, random).bytes ?? '').subarray(0, random.below(400))
    const many = Array.from({ length: count }, (_, n) => ({ name: `${n}.webm`, bytes }))
    const [entry = {}] = manifest.files
    const entries = many.map(({ name }, n) => ({ ...entry, filename: name, startTimeOffset: n, stopTimeOffset: 2 * n }))
    return packArchive({
      files: [...files, ...many],
      manifest: { ...manifest, files: [...manifest.files, ...entries] },
    })
  },
  function isNoJson({ files }, random) {
    const bytes = pick(['[', '{'.repeat(100), '['.repeat(200_000), `"${'x'.repeat(1e6)}"`, 'null', '[{}]'], random)
    return packZip([...files, { name: 'archive.json', bytes, isDeflated: random.below(2) === 0 }])
  },
  function hasOtherStream({ files, manifest }, random) {
    const index = random.below(files.length)
    const file = files[index] as PackedFile
    const bytes = damageBytes(Buffer.from(file.bytes ?? ''), random)
    return packArchive({ manifest, files: files.with(index, { ...file, bytes }) })
  },
  function liesInItsDirectory({ files, manifest }, random) {
    const index = random.below(files.length)
    const number = pick([0, 1, 100, 2 ** 31, 2 ** 32 - 1], random)
    const claim = pick(['size', 'crc', 'offset', 'method'] as const, random)
    const file = { ...(files[index] as PackedFile), claims: { [claim]: claim === 'method' ? number & 0xff : number } }
    return packArchive({ manifest, files: files.with(index, file) })
  },
  function hasOtherBytes(parts, random) {
    return damageBytes(packArchive(parts), random)
  },
  function hasOtherEnd(parts, random) {
    const zip = packArchive(parts)
    const at = zip.length - 22 + 8 + random.below(10)
    zip.writeUInt16LE(pick([0, 1, 0xff, 0x7fff, 0xffff], random), at)
    return zip
  },
]

/** Damages an archive of single streams in its directory, its manifest or a stream; a seed does it the same way each time. */
export function damageZip(parts: ArchiveParts, seed: number): Buffer {
  const random = createRandom(seed, 'damage')
  return pick(mutations, random)(parts, random)
}
