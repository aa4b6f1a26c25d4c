/**
 * Returns output options for one picture in video range as a JPEG. `bitexact` and a single thread give the same bytes
 * on every machine with the same ffmpeg.
 * @param quality from 2 (best) to 31, the scale of ffmpeg
 */
export const jpegOutput = ({ width, height }: { width: number; height: number }, quality: number) => [
  ...['-vf', `scale=${width}:${height}:flags=bicubic+accurate_rnd+bitexact,format=yuvj420p`],
  ...['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', String(quality), '-f', 'mjpeg'],
  ...['-flags', '+bitexact', '-fflags', '+bitexact', '-threads', '1', 'pipe:1'],
]
