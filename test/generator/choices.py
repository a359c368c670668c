"""Named choices that can be replayed and simplified.

Everything random about a draw goes through Choices.pick. A choice is remembered
by its name as the number of the option taken; option 0 is the plainest one. So a
draw is its list of choices: replaying the list gives the same text again, and
shrinking is setting choices back to 0.
"""
import random


class Choices:
    def __init__(self, seed, replay=None):
        """`replay`: the numbers to take instead of random ones; 0 where it has
        none."""
        self.rng = random.Random(seed)
        self.replay = replay
        self.taken = {}
        self.values = {}
        self.counts = {}

    def pick(self, name, options, weights=None):
        count = self.counts[name] = self.counts.get(name, 0) + 1
        if count > 1:
            name = f"{name}#{count}"
        if self.replay is None:
            number = self.rng.choices(range(len(options)), weights)[0]
        else:
            number = self.replay.get(name, 0)
            if number >= len(options):
                number = 0
        self.taken[name] = number
        self.values[name] = options[number]
        return options[number]

    def chance(self, name, percent):
        return self.pick(name, [False, True], [100 - percent, percent])

    def order(self, name, items):
        """A permutation: given as it is four times of five."""
        items = list(items)
        if len(items) < 2 or not self.chance(name, 20):
            return items
        result = []
        while items:
            result.append(items.pop(self.pick(name + ".next",
                                              list(range(len(items))))))
        return result
