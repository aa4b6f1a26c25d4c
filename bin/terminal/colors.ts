/** Returns true if a stream shows colors: a terminal that has them, unless NO_COLOR is set (no-color.org). */
export const hasColors = (stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): boolean =>
  stream.isTTY === true && !environment.NO_COLOR && stream.hasColors()
