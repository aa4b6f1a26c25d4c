import { MULTIVARIANT_TAGS, type Playlist, type Tag } from './parse.ts'
import { failing, type Rule, tagOf, tagsOf } from './rule.ts'

const ONCE = [
  ...['EXT-X-VERSION', 'EXT-X-INDEPENDENT-SEGMENTS', 'EXT-X-START', 'EXT-X-TARGETDURATION', 'EXT-X-MEDIA-SEQUENCE'],
  ...['EXT-X-DISCONTINUITY-SEQUENCE', 'EXT-X-ENDLIST', 'EXT-X-PLAYLIST-TYPE', 'EXT-X-I-FRAMES-ONLY'],
  ...['EXT-X-PART-INF', 'EXT-X-SERVER-CONTROL', 'EXT-X-SKIP', 'EXT-X-CONTENT-STEERING'],
]

const MEDIA_TAGS = [
  ...['EXT-X-TARGETDURATION', 'EXT-X-MEDIA-SEQUENCE', 'EXT-X-DISCONTINUITY-SEQUENCE', 'EXT-X-ENDLIST', 'EXTINF'],
  ...['EXT-X-PLAYLIST-TYPE', 'EXT-X-I-FRAMES-ONLY', 'EXT-X-PART-INF', 'EXT-X-SERVER-CONTROL', 'EXT-X-BYTERANGE'],
  ...['EXT-X-DISCONTINUITY', 'EXT-X-KEY', 'EXT-X-MAP', 'EXT-X-PROGRAM-DATE-TIME', 'EXT-X-GAP', 'EXT-X-BITRATE'],
  ...['EXT-X-PART', 'EXT-X-DATERANGE', 'EXT-X-SKIP', 'EXT-X-PRELOAD-HINT', 'EXT-X-RENDITION-REPORT'],
]

const LISTS = [
  ...['EXT-X-START', 'EXT-X-DEFINE', 'EXT-X-PART-INF', 'EXT-X-SERVER-CONTROL', 'EXT-X-KEY', 'EXT-X-MAP', 'EXT-X-PART'],
  ...['EXT-X-DATERANGE', 'EXT-X-SKIP', 'EXT-X-PRELOAD-HINT', 'EXT-X-RENDITION-REPORT', ...MULTIVARIANT_TAGS],
]

const INTEGER = /^\d{1,20}$/
const FLOAT = /^\d+(\.\d+)?$/
const QUOTED = /^"[^"\r\n]*"$/
const ENUMERATED = /^[^",\s]+$/

/** Forms of the values of attributes. */
const FORMS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['BANDWIDTH', 'AVERAGE-BANDWIDTH', 'SKIPPED-SEGMENTS', 'LAST-MSN', 'LAST-PART', 'BYTERANGE-START'].map((name) => [
      name,
      INTEGER,
    ]),
  ),
  'BYTERANGE-LENGTH': INTEGER,
  ...Object.fromEntries(
    ['PART-TARGET', 'CAN-SKIP-UNTIL', 'HOLD-BACK', 'PART-HOLD-BACK', 'DURATION', 'FRAME-RATE'].map((name) => [
      name,
      FLOAT,
    ]),
  ),
  'TIME-OFFSET': /^-?\d+(\.\d+)?$/,
  RESOLUTION: /^\d+x\d+$/,
  ...Object.fromEntries(
    ['URI', 'BYTERANGE', 'GROUP-ID', 'NAME', 'LANGUAGE', 'CODECS', 'AUDIO', 'VIDEO', 'SUBTITLES', 'CHANNELS'].map(
      (name) => [name, QUOTED],
    ),
  ),
  ...Object.fromEntries(
    ['TYPE', 'DEFAULT', 'AUTOSELECT', 'FORCED', 'INDEPENDENT', 'GAP', 'CAN-BLOCK-RELOAD'].map((name) => [
      name,
      ENUMERATED,
    ]),
  ),
}

const WHOLE_LIST = /^[A-Z0-9-]+=("[^"\r\n]*"|[^",\s]+)(,[A-Z0-9-]+=("[^"\r\n]*"|[^",\s]+))*$/
const listsOf = ({ tags }: Playlist) => tags.filter(({ name }) => LISTS.includes(name))
const namesIn = ({ value }: Tag) => value.replace(/"[^"]*"/g, '').match(/[A-Z0-9-]+(?==)/g) ?? []

/** Rules of the text and of the tags that both kinds of playlist have. */
export const lineRules: readonly Rule[] = [
  {
    section: '4.1',
    says: 'a playlist is UTF-8 without a byte order mark or control characters',
    breaches: ({ lines }) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what the rule forbids
      lines.flatMap((line, index) => (/[\u0000-\u001f\u007f-\u009f\ufeff]/.test(line) ? [`line ${index + 1}`] : [])),
  },
  {
    section: '4.1',
    says: 'a line is a URI, a tag, a comment or empty, without white space around it',
    breaches: ({ lines }) =>
      lines.flatMap((line, index) => {
        const isWrong = line !== line.trim() || (!line.startsWith('#') && /\s/.test(line))
        return isWrong ? [`line ${index + 1}, “${line}”`] : []
      }),
  },
  {
    section: '4.1',
    says: 'a playlist has tags of media playlists or of multivariant playlists, not of both',
    breaches: (playlist) =>
      playlist.isMultivariant ? failing(playlist.tags, ({ name }) => !MEDIA_TAGS.includes(name)) : [],
  },
  {
    section: '4.2',
    says: 'a list of attributes has the form NAME=value,NAME=value',
    breaches: (playlist) => failing(listsOf(playlist), ({ value }) => WHOLE_LIST.test(value)),
  },
  {
    section: '4.2',
    says: 'an attribute is in its list once',
    breaches: (playlist) => failing(listsOf(playlist), (tag) => new Set(namesIn(tag)).size === namesIn(tag).length),
  },
  {
    section: '4.2',
    says: 'the value of an attribute has its form',
    breaches: (playlist) =>
      listsOf(playlist).flatMap(({ attributes, line, name: tag }) =>
        [...attributes].flatMap(([name, value]) =>
          FORMS[name]?.test(value) === false ? [`line ${line}, ${name}=${value} of ${tag}`] : [],
        ),
      ),
  },
  {
    section: '4.4.1.1',
    says: 'EXTM3U is the first line, and on no other',
    breaches: (playlist) => [
      ...(playlist.lines[0] === '#EXTM3U' ? [] : [`line 1 is “${playlist.lines[0]}”`]),
      ...failing(tagsOf(playlist, 'EXTM3U'), ({ line }) => line === 1),
    ],
  },
  {
    section: '4.4.2, 4.4.3',
    says: 'a tag of the whole playlist is there at most once',
    breaches: (playlist) =>
      ONCE.flatMap((name) => (tagsOf(playlist, name).length > 1 ? [`${name} is there more than once`] : [])),
  },
  {
    section: '8',
    says: 'EXT-X-VERSION is as high as the tags demand',
    breaches: (playlist) => {
      const version = Number(tagOf(playlist, 'EXT-X-VERSION')?.value ?? 1)
      return neededVersions(playlist).flatMap(([needed, why]) =>
        version < needed ? [`${why} needs version ${needed}, not ${version}`] : [],
      )
    },
  },
]

function neededVersions(playlist: Playlist): (readonly [number, string])[] {
  const has = (name: string) => tagOf(playlist, name) !== undefined
  const isIframes = has('EXT-X-I-FRAMES-ONLY')
  const reasons: (readonly [boolean, number, string])[] = [
    [tagsOf(playlist, 'EXTINF').some(({ value }) => /^\d+\.\d/.test(value)), 3, 'a fraction in EXTINF'],
    [has('EXT-X-BYTERANGE'), 4, 'EXT-X-BYTERANGE'],
    [isIframes, 4, 'EXT-X-I-FRAMES-ONLY'],
    [has('EXT-X-MAP'), isIframes ? 5 : 6, 'EXT-X-MAP'],
    [has('EXT-X-DEFINE'), 8, 'EXT-X-DEFINE'],
    [has('EXT-X-SKIP'), 9, 'EXT-X-SKIP'],
  ]
  return reasons.flatMap(([isSo, version, why]) => (isSo ? [[version, why] as const] : []))
}
