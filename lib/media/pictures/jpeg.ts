/** One picture in video range as a JPEG, the same bytes on every machine with this ffmpeg: else it names itself in them and
 * splits the picture by the cores it finds. `quality` as ffmpeg counts it, from 2 (best) to 31. */
export const jpegOutput = ({ width, height }: { width: number; height: number }, quality: number) => [
  ...['-vf', `scale=${width}:${height}:flags=bicubic+accurate_rnd+bitexact,format=yuvj420p`],
  ...['-frames:v', '1', '-c:v', 'mjpeg', '-q:v', String(quality), '-f', 'mjpeg'],
  ...['-flags', '+bitexact', '-fflags', '+bitexact', '-threads', '1', 'pipe:1'],
]
