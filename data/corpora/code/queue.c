/*
 * queue.c - a ring buffer, a priority queue, and a simulated shop counter
 *
 * The ring buffer holds pointers and grows when it is full. The priority
 * queue is a binary heap: the item with the smallest key comes out first,
 * and items with equal keys come out in the order in which they went in.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INITIAL_CAPACITY 8

/* ---- ring buffer ---------------------------------------------------- */

struct queue {
	void **items;
	size_t capacity;	/* always a power of two */
	size_t head;		/* index of the oldest item */
	size_t count;
};

bool queue_init(struct queue *q)
{
	q->items = malloc(INITIAL_CAPACITY * sizeof(*q->items));
	if (!q->items)
		return false;
	q->capacity = INITIAL_CAPACITY;
	q->head = 0;
	q->count = 0;
	return true;
}

/* Free the buffer. The items themselves belong to the caller. */
void queue_free(struct queue *q)
{
	free(q->items);
	memset(q, 0, sizeof(*q));
}

static bool queue_grow(struct queue *q)
{
	size_t new_capacity = q->capacity * 2;
	void **new_items;
	size_t i;

	if (new_capacity > SIZE_MAX / sizeof(*new_items))
		return false;
	new_items = malloc(new_capacity * sizeof(*new_items));
	if (!new_items)
		return false;
	for (i = 0; i < q->count; i++)
		new_items[i] = q->items[(q->head + i) & (q->capacity - 1)];
	free(q->items);
	q->items = new_items;
	q->capacity = new_capacity;
	q->head = 0;
	return true;
}

bool queue_push(struct queue *q, void *item)
{
	if (q->count == q->capacity && !queue_grow(q))
		return false;
	q->items[(q->head + q->count) & (q->capacity - 1)] = item;
	q->count++;
	return true;
}

/* Remove and return the oldest item, or NULL if the queue is empty. */
void *queue_pop(struct queue *q)
{
	void *item;

	if (q->count == 0)
		return NULL;
	item = q->items[q->head];
	q->head = (q->head + 1) & (q->capacity - 1);
	q->count--;
	return item;
}

void *queue_peek(const struct queue *q)
{
	return q->count ? q->items[q->head] : NULL;
}

/* ---- priority queue ------------------------------------------------- */

struct heap_entry {
	long key;
	unsigned long serial;	/* breaks ties between equal keys */
	void *item;
};

struct heap {
	struct heap_entry *entries;
	size_t capacity;
	size_t count;
	unsigned long next_serial;
};

bool heap_init(struct heap *h)
{
	h->entries = malloc(INITIAL_CAPACITY * sizeof(*h->entries));
	if (!h->entries)
		return false;
	h->capacity = INITIAL_CAPACITY;
	h->count = 0;
	h->next_serial = 0;
	return true;
}

void heap_free(struct heap *h)
{
	free(h->entries);
	memset(h, 0, sizeof(*h));
}

static bool entry_less(const struct heap_entry *a, const struct heap_entry *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	return a->serial < b->serial;
}

static void entry_swap(struct heap_entry *a, struct heap_entry *b)
{
	struct heap_entry saved = *a;

	*a = *b;
	*b = saved;
}

static void sift_up(struct heap *h, size_t i)
{
	while (i > 0) {
		size_t parent = (i - 1) / 2;

		if (!entry_less(&h->entries[i], &h->entries[parent]))
			break;
		entry_swap(&h->entries[i], &h->entries[parent]);
		i = parent;
	}
}

static void sift_down(struct heap *h, size_t i)
{
	for (;;) {
		size_t left = 2 * i + 1;
		size_t right = left + 1;
		size_t smallest = i;

		if (left < h->count &&
		    entry_less(&h->entries[left], &h->entries[smallest]))
			smallest = left;
		if (right < h->count &&
		    entry_less(&h->entries[right], &h->entries[smallest]))
			smallest = right;
		if (smallest == i)
			return;
		entry_swap(&h->entries[i], &h->entries[smallest]);
		i = smallest;
	}
}

bool heap_push(struct heap *h, long key, void *item)
{
	if (h->count == h->capacity) {
		size_t new_capacity = h->capacity * 2;
		struct heap_entry *grown;

		grown = realloc(h->entries, new_capacity * sizeof(*grown));
		if (!grown)
			return false;
		h->entries = grown;
		h->capacity = new_capacity;
	}
	h->entries[h->count].key = key;
	h->entries[h->count].serial = h->next_serial++;
	h->entries[h->count].item = item;
	sift_up(h, h->count);
	h->count++;
	return true;
}

/* Remove the entry with the smallest key. Return false if there is none. */
bool heap_pop(struct heap *h, long *key, void **item)
{
	if (h->count == 0)
		return false;
	*key = h->entries[0].key;
	*item = h->entries[0].item;
	h->count--;
	h->entries[0] = h->entries[h->count];
	sift_down(h, 0);
	return true;
}

/* ---- simulation of a shop counter ----------------------------------- */

struct customer {
	int number;
	long arrival;	/* seconds after opening */
	long service;	/* seconds needed at the counter */
};

/* A small linear congruential generator, so that runs can be repeated. */
static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 16) % limit;
}

static struct customer *make_customers(int n)
{
	struct customer *list = calloc(n, sizeof(*list));
	long now = 0;
	int i;

	if (!list)
		return NULL;
	for (i = 0; i < n; i++) {
		now += 20 + random_below(100);
		list[i].number = i + 1;
		list[i].arrival = now;
		list[i].service = 30 + random_below(75);
	}
	return list;
}

static int run_shop(struct customer *list, int n)
{
	struct heap arrivals;
	struct queue line;
	long now = 0, total_wait = 0, longest_wait = 0;
	int served = 0, status = EXIT_FAILURE, i;
	size_t longest_line = 0;

	if (!heap_init(&arrivals))
		return EXIT_FAILURE;
	if (!queue_init(&line)) {
		heap_free(&arrivals);
		return EXIT_FAILURE;
	}

	for (i = 0; i < n; i++) {
		if (!heap_push(&arrivals, list[i].arrival, &list[i]))
			goto out;
	}

	while (served < n) {
		struct customer *next;
		long wait;

		/* Let in everybody who has come by now, or at least one. */
		while (arrivals.count > 0 &&
		       (line.count == 0 || arrivals.entries[0].key <= now)) {
			long when;
			void *who;

			heap_pop(&arrivals, &when, &who);
			if (when > now)
				now = when;
			if (!queue_push(&line, who))
				goto out;
		}
		if (line.count > longest_line)
			longest_line = line.count;

		next = queue_pop(&line);
		wait = now - next->arrival;
		total_wait += wait;
		if (wait > longest_wait)
			longest_wait = wait;
		now += next->service;
		served++;
	}

	printf("customers served: %d\n", served);
	printf("average wait:     %.1f seconds\n", (double)total_wait / n);
	printf("longest wait:     %ld seconds\n", longest_wait);
	printf("longest line:     %zu\n", longest_line);
	status = EXIT_SUCCESS;
out:
	queue_free(&line);
	heap_free(&arrivals);
	return status;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100;
	struct customer *list;
	int status;

	if (n < 1) {
		fprintf(stderr, "usage: %s [number of customers]\n", argv[0]);
		return EXIT_FAILURE;
	}
	list = make_customers(n);
	if (!list) {
		perror("make_customers");
		return EXIT_FAILURE;
	}
	status = run_shop(list, n);
	free(list);
	return status;
}
