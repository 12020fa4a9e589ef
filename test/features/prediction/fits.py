# Writes fits.json: windows of calls, and what weighted least squares in exact fractions makes of them. Run it with `python3 fits.py`.
import json
import math
import random
from fractions import Fraction


def solve(points):
    """Intercept and slope by the normal equations, and the weighted mean squares of what the line and the mean leave."""
    weight = sum(w for _, _, w in points)
    sx = sum(w * x for x, _, w in points)
    sy = sum(w * y for _, y, w in points)
    sxx = sum(w * x * x for x, _, w in points)
    sxy = sum(w * x * y for x, y, w in points)
    determinant = weight * sxx - sx * sx
    slope = (weight * sxy - sx * sy) / determinant
    intercept = (sy - slope * sx) / weight
    mean = sy / weight
    line = sum(w * (y - intercept - slope * x) ** 2 for x, y, w in points) / weight
    flat = sum(w * (y - mean) ** 2 for _, y, w in points) / weight
    return intercept, slope, sx / weight, line, flat


def aicc(number, squares, parameters):
    return number * math.log(squares) + 2 * parameters + 2 * parameters * (parameters + 1) / (number - parameters - 1)


def case(seed):
    source = random.Random(seed)
    number = source.randint(8, 20)
    slope = source.choice([0, 0, 3, 10, 40])
    noise = source.choice([1, 10, 50])
    points = []
    for _ in range(number):
        rate = source.randint(10, 60)
        points.append((rate, 200 + slope * rate + source.randint(-noise, noise), source.randint(1, 500)))
    exact = [tuple(Fraction(value) for value in point) for point in points]
    intercept, gradient, middle, line, flat = solve(exact)
    rates = [rate for rate, _, _ in points]
    better = aicc(number, float(line), 3) < aicc(number, float(flat), 2)
    return {
        "points": points,
        "isLine": max(rates) >= 1.5 * min(rates) and better,
        "mean": float(intercept + gradient * middle),
        "residual": float(line),
        "rSquared": float(1 - line / flat),
    }


if __name__ == "__main__":
    with open("fits.json", "w", encoding="utf-8") as file:
        json.dump([case(seed) for seed in range(40)], file)
        file.write("\n")
