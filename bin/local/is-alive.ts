/** Returns whether a process has this id, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0) // signal 0 only checks that the process exists
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // it belongs to another user
  }
}
