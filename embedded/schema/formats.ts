import { parseUrl } from '../../lib/url.ts'
import { isIP, isIPv4, isIPv6 } from 'node:net'

/** A named form of string that a kube-apiserver checks; names it does not know are not checked at all. */
export interface Format {
  readonly name: string
  test(value: string): boolean
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/
const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
/** The looser form beside Go's: a number and a unit in words, blanks allowed between (`3 days`, `1week`). */
const WORD_DURATION =
  /^\d+(?:\.\d+)?\s*(?:ns|nano|nanos|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|hrs?|d|days?|w|weeks?|wks?)$/i

function isDate(value: string): boolean {
  const parts = DATE.exec(value)
  if (parts === null) return false
  const [year, month, day] = parts.slice(1).map(Number)
  const date = new Date(`${value}T00:00:00Z`)
  return date.getUTCFullYear() === year && date.getUTCMonth() + 1 === month && date.getUTCDate() === day
}

function isDateTime(value: string): boolean {
  const parts = DATE_TIME.exec(value)
  if (parts === null) return false
  const [date = '', hours, minutes, seconds] = parts.slice(1)
  return isDate(date) && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 61
}

function isUri(value: string): boolean {
  const isAbsolute = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(value) || value.startsWith('/')
  return isAbsolute && parseUrl(value, 'file:///') !== undefined
}

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/')
  const max = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max
}

const HOSTNAME =
  /^(?=.{1,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const TESTS: Readonly<Record<string, (value: string) => boolean>> = {
  date: isDate,
  'date-time': isDateTime,
  datetime: isDateTime,
  duration: (value) => GO_DURATION.test(value) || WORD_DURATION.test(value),
  byte: (value) => BASE64.test(value),
  uuid: (value) => UUID.test(value),
  uuid3: (value) => UUID.test(value),
  uuid4: (value) => UUID.test(value),
  uuid5: (value) => UUID.test(value),
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  hostname: (value) => HOSTNAME.test(value),
  ipv4: (value) => isIPv4(value),
  ipv6: (value) => isIPv6(value),
  ip: (value) => isIP(value) !== 0,
  cidr: isCidr,
  mac: (value) => /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  uri: isUri,
}

/** The check for a format's name, or undefined when a kube-apiserver lets any string pass under that name. */
export function findFormat(name: string): Format | undefined {
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined
  return test === undefined ? undefined : { name, test }
}
