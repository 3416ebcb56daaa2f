/** To be preloaded (`node --import`): the wall clock of the process is ahead by CLOCK_AHEAD_MS; the kernel's own is not. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: []) => (args.length === 0 ? new target(target.now() + aheadMs) : new target(...args)),
  get(target, name, receiver): unknown {
    return name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name, receiver)
  },
})
