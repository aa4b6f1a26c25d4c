import { parse, setOptions } from 'hls-parser'
import { Parser } from 'm3u8-parser'

/** Returns what hls-parser and m3u8-parser, which others wrote, refuse or correct in a playlist. */
export function parserComplaints(text: string): string[] {
  return [...hlsParserComplaints(text), ...m3u8ParserComplaints(text)]
}

/** hls-parser refuses the tag in playlists without parts unless they offer blocking reloads; the draft does not (4.4.3.8). */
const withoutControl = (text: string) =>
  text.includes('#EXT-X-PART-INF') ? text : text.replace(/^#EXT-X-SERVER-CONTROL:.*\n/m, '')

function hlsParserComplaints(text: string): string[] {
  setOptions({ strictMode: true })
  try {
    parse(withoutControl(text))
    return []
  } catch (error) {
    return [`hls-parser: ${error}`]
  }
}

function m3u8ParserComplaints(text: string): string[] {
  const complaints: string[] = []
  const parser = new Parser()
  for (const event of ['warn', 'error']) parser.on(event, ({ message }) => complaints.push(`m3u8-parser: ${message}`))
  parser.push(text)
  parser.end()
  return complaints
}
