/** To be preloaded (`node --import`): SIGUSR2 makes a promise that is rejected and that nobody handles. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('a part has failed', { cause: new Error('ENOSPC: no space left on device') }))
})
