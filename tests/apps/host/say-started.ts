/** Says where the apps of a process listen, as its log does from `LOG_LEVEL` info on. */
export const sayStarted = (urls: Readonly<Record<string, string>>): void => {
  process.stdout.write(`${JSON.stringify({ ...urls, msg: 'started' })}\n`)
}
