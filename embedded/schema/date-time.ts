const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** Whether a text is what a kube-apiserver takes for `format: date-time`. */
export function isDateTime(value: string): boolean {
  const parts = DATE_TIME.exec(value)
  if (parts === null) return false
  const [date = '', hours, minutes, seconds] = parts.slice(1)
  return isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 61
}

function isDate(value: string): boolean {
  const [year, month, day] = value.split('-').map(Number)
  const date = new Date(`${value}T00:00:00Z`)
  return date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}
