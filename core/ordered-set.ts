/**
 * A set in an order, of which one can ask who is first, who comes n-th, and how many come before somebody.
 *
 * A weight-balanced tree (S. Adams, "Efficient sets: a balancing act", 1993; Haskell's Data.Map): each node knows how
 * many items are below it, and neither side of a node holds more than {@link DELTA} times as many as the other. So every
 * operation but a slice costs the logarithm of the size, whatever comes in whatever order.
 */
export interface OrderedSet<T> {
  readonly size: number
  /** Adds an item; one that compares as equal is replaced. */
  add(item: T): void
  /** Takes away the item that compares as equal; nothing where there is none. */
  delete(item: T): void
  /** The item with so many before it, from 0; undefined beyond the end. */
  at(index: number): T | undefined
  /** How many come before an item, whether it is in the set or not. */
  countBefore(item: T): number
  /** The items from index `start` up to but not `end`; costs their number beside the logarithm. */
  slice(start: number, end: number): T[]
}

interface Node<T> {
  readonly item: T
  readonly left: Tree<T>
  readonly right: Tree<T>
  readonly size: number
}

type Tree<T> = Node<T> | undefined

/** Who is heavier than this many times its sister is too heavy; with {@link RATIO}, the pair that is proven to hold. */
const DELTA = 3
/** Below this the heavy side's outer part is heavy enough for a single rotation. */
const RATIO = 2

/** An empty set. @param compare negative where `a` comes before `b`, 0 where they are the same; a total order */
export function createOrderedSet<T>(compare: (a: T, b: T) => number): OrderedSet<T> {
  let root: Tree<T>
  return {
    get size() {
      return sizeOf(root)
    },
    add: (item) => void (root = insert(root, item, compare)),
    delete: (item) => void (root = remove(root, item, compare)),
    at: (index) => find(root, index),
    countBefore: (item) => rank(root, item, compare),
    slice(start, end) {
      const items: T[] = []
      collect(root, Math.max(0, start), end, items)
      return items
    },
  }
}

function sizeOf<T>(tree: Tree<T>): number {
  return tree?.size ?? 0
}

function makeNode<T>(item: T, left: Tree<T>, right: Tree<T>): Node<T> {
  return { item, left, right, size: sizeOf(left) + sizeOf(right) + 1 }
}

function insert<T>(tree: Tree<T>, item: T, compare: (a: T, b: T) => number): Node<T> {
  if (tree === undefined) return makeNode(item, undefined, undefined)
  const order = compare(item, tree.item)
  if (order < 0) return balance(tree.item, insert(tree.left, item, compare), tree.right)
  if (order > 0) return balance(tree.item, tree.left, insert(tree.right, item, compare))
  return { ...tree, item }
}

function remove<T>(tree: Tree<T>, item: T, compare: (a: T, b: T) => number): Tree<T> {
  if (tree === undefined) return undefined
  const order = compare(item, tree.item)
  if (order < 0) return balance(tree.item, remove(tree.left, item, compare), tree.right)
  if (order > 0) return balance(tree.item, tree.left, remove(tree.right, item, compare))
  const next = find(tree.right, 0)
  return next === undefined ? tree.left : balance(next, tree.left, remove(tree.right, next, compare))
}

/** Both sides are balanced, and differ by one item from a balanced pair. */
function balance<T>(item: T, left: Tree<T>, right: Tree<T>): Node<T> {
  if (sizeOf(left) + sizeOf(right) <= 1) return makeNode(item, left, right)
  if (right !== undefined && sizeOf(right) > DELTA * sizeOf(left)) return rotateLeft(item, left, right)
  if (left !== undefined && sizeOf(left) > DELTA * sizeOf(right)) return rotateRight(item, left, right)
  return makeNode(item, left, right)
}

function rotateLeft<T>(item: T, left: Tree<T>, right: Node<T>): Node<T> {
  const { left: inner, right: outer } = right
  if (inner === undefined || sizeOf(inner) < RATIO * sizeOf(outer))
    return makeNode(right.item, makeNode(item, left, inner), outer)
  return makeNode(inner.item, makeNode(item, left, inner.left), makeNode(right.item, inner.right, outer))
}

function rotateRight<T>(item: T, left: Node<T>, right: Tree<T>): Node<T> {
  const { left: outer, right: inner } = left
  if (inner === undefined || sizeOf(inner) < RATIO * sizeOf(outer))
    return makeNode(left.item, outer, makeNode(item, inner, right))
  return makeNode(inner.item, makeNode(left.item, outer, inner.left), makeNode(item, inner.right, right))
}

function find<T>(root: Tree<T>, index: number): T | undefined {
  let rest = index
  for (let tree = root; tree !== undefined;) {
    const before = sizeOf(tree.left)
    if (rest === before) return tree.item
    if (rest < before) tree = tree.left
    else {
      rest -= before + 1
      tree = tree.right
    }
  }
  return undefined
}

function rank<T>(root: Tree<T>, item: T, compare: (a: T, b: T) => number): number {
  let before = 0
  for (let tree = root; tree !== undefined;) {
    const order = compare(item, tree.item)
    if (order === 0) return before + sizeOf(tree.left)
    if (order < 0) tree = tree.left
    else {
      before += sizeOf(tree.left) + 1
      tree = tree.right
    }
  }
  return before
}

function collect<T>(tree: Tree<T>, start: number, end: number, items: T[]): void {
  if (tree === undefined || start >= end || start >= tree.size || end <= 0) return
  const before = sizeOf(tree.left)
  collect(tree.left, start, end, items)
  if (start <= before && before < end) items.push(tree.item)
  collect(tree.right, Math.max(0, start - before - 1), end - before - 1, items)
}
